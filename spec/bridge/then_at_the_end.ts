//# title = "a call whose then is not awaited is made, and its then does not run after the program has returned"
//# tools = "demo"
//# crashChanges = "a call that was left behind is not made again"
//# [expect]
//# result = 'null'
//# logs = [["log", "only this"]]
//# calls = [["demo.echo", "applied"]]
//# warnings = ['the program returned while code was waiting for its call in line 9, column 12, and nothing was waiting for that code: the rest of it did not run. Await every promise: `forEach` awaits none, `await Promise.all(list.map(async …))` does']
tools.demo.echo(1).then(console.log);
console.log("only this");
