//# title = "import() of a package rejects when it runs"
//# differsFromNode = "Node has the module fs"
//# [expect]
//# result = '["TypeError",1]'
let reached = 0;
if (reached) await import("lodash");
const error = await import("fs").catch((error) => error);
reached++;
return [error.name, reached];
