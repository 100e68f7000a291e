//# title = "a callback of `then` that nothing waits for does not run after the return, and the outcome says so"
//# tools = "demo"
//# crashChanges = "a call that was left behind is not made again"
//# [expect]
//# result = '"done"'
//# calls = [["demo.wait", "applied"]]
//# warnings = ['the program returned while code was waiting for its call in line 8, column 12, and nothing was waiting for that code: the rest of it did not run. Await every promise: `forEach` awaits none, `await Promise.all(list.map(async …))` does']
tools.demo.wait({ ms: 1 }).then(({ waited }) => tools.demo.echo(waited));
return "done";
