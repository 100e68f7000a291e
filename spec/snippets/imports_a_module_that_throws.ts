//# title = "a snippet fails with the place in the module that throws"
//# tools = "spec"
//# [modules]
//# early = "\n\nthrow new Error('not today')"
//# late = "export const first = (items: string[]) => {\n  if (!items.length) throw new RangeError('nothing');\n  return items[0];\n}"
//# [snippets]
//# loads = "import 'early'\nreturn 1"
//# calls = "import { first } from 'late'\nreturn first(input)"
//# [expect]
//# result = '[["THROWN","snippet `loads`: not today"],["THROWN","snippet `calls`: nothing"],"a"]'
//# calls = [["codemode.run", "failed"], ["codemode.run", "failed"], ["codemode.run", "applied"]]
const failure = async (name, input?) => codemode.run(name, input).catch(({ code, message }) => [code, message]);
return [await failure("loads"), await failure("calls", []), await codemode.run("calls", ["a"])];
