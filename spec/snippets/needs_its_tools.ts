//# title = "a snippet whose tools are gone or changed says so"
//# tools = "demo"
//# [snippets.needsGone]
//# code = 'return 1'
//# tools = { "demo.gone" = "0" }
//# [snippets.needsOther]
//# code = 'return 2'
//# tools = { "demo.echo" = "0" }
//# [expect]
//# result = '["UNKNOWN_TOOL","snippet `needsGone` needs `demo.gone`, which is gone",2,true,true]'
//# calls = [["codemode.run", "failed"], ["codemode.run", "applied"], ["codemode.describe", "applied"], ["codemode.describe", "applied"]]
//# warnings = ["snippet `needsOther` was saved with another definition of `demo.echo`"]
const gone = await codemode.run("needsGone").catch((error) => error);
const other = await codemode.run("needsOther");
const says = async (name, words) => (await codemode.describe(name)).description.includes(words);
return [gone.code, gone.message, other, await says("needsGone", "which is gone"), await says("needsOther", "another definition")];
