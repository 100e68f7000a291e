//# title = "a snippet that is a module may have an `input` of its own"
//# tools = "spec"
//# [modules]
//# csv = "export const parse = (text: string) => text.split(',')"
//# [snippets]
//# own = "import { parse } from 'csv'\nconst input = 'x,y'\nreturn parse(input)"
//# given = "import { parse } from 'csv'\nexport default (input) => [typeof globalThis.input, parse(input)]"
//# [expect]
//# result = '[["x","y"],["string",["a","b"]]]'
//# calls = [["codemode.run", "applied"], ["codemode.run", "applied"]]
return [await codemode.run("own", "a,b"), await codemode.run("given", "a,b")];
