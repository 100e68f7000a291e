//# title = "nothing of Node that reaches out can be imported"
//# differsFromNode = "Node can import"
//# [expect]
//# result = '["TypeError","TypeError","TypeError","TypeError"]'
const name = (specifier: string) => import(specifier).then(() => "imported", (error) => error.name);
return [await name("node:fs"), await name("fs"), await name("node:child_process"), await name("os")];
