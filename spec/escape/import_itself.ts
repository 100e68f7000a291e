//# title = "a program cannot import itself under the name that stacks show"
//# tools = "demo"
//# [expect]
//# result = '"TypeError"'
const own = /\(([^():]+):\d+:\d+\)/.exec(new Error().stack!)?.[1] ?? "main.ts";
return await import(own).then(() => "imported", (error) => error.name);
