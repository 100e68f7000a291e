//# title = "a snippet imports modules of the host"
//# tools = "spec"
//# [modules]
//# csv = "export const parse = (text: string) => text.split(',')"
//# rows = "import { parse } from 'csv'\nexport default (text: string) => parse(text).map((item) => item.trim())"
//# [snippets]
//# body = "import { parse } from 'csv'\nreturn parse(input)"
//# required = "const rows = require('rows')\nreturn rows(input)"
//# dynamic = "const { parse } = await import('csv')\nreturn parse(input)"
//# entry = "import rows from 'rows'\nexport default (text) => rows(text)"
//# [expect]
//# result = '[["a"," b"],["a","b"],["a"," b"],["a","b"]]'
//# calls = [["codemode.run", "applied"], ["codemode.run", "applied"], ["codemode.run", "applied"], ["codemode.run", "applied"]]
const results = [];
for (const name of ["body", "required", "dynamic", "entry"]) results.push(await codemode.run(name, "a, b"));
return results;
