//# title = "a snippet that never looks at a call fails, and one that leaves a call pending waits for it"
//# tools = "demo"
//# [snippets]
//# leaves = 'tools.demo.echo(1); return 1'
//# races = 'return Promise.race([tools.demo.wait({ ms: 20 }), Promise.resolve("fast")])'
//# [expect]
//# result = '["DETACHED_CALL","fast"]'
//# calls = [["codemode.run", "failed"], ["demo.echo", "applied"], ["codemode.run", "applied"], ["demo.wait", "applied"]]
return [await codemode.run("leaves").catch((error) => error.code), await codemode.run("races")];
