//# title = "a call that fails in a snippet fails the snippet with its code, unless the snippet catches it"
//# tools = "demo"
//# [snippets]
//# fails = 'return tools.demo.fail({ message: "no" })'
//# catches = 'return tools.demo.fail({ message: "no" }).catch((error) => error.code)'
//# [expect]
//# result = '["TOOL",true,"TOOL"]'
//# calls = [["codemode.run", "failed"], ["demo.fail", "failed"], ["codemode.run", "applied"], ["demo.fail", "failed"]]
const failed = await codemode.run("fails").catch((error) => error);
return [failed.code, failed.message.startsWith("snippet `fails`: "), await codemode.run("catches")];
