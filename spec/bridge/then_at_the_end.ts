//# title = "a call whose then is not awaited is made, and its then does not run after the program has returned"
//# tools = "demo"
//# crashChanges = "a call that was left behind is not made again"
//# [expect]
//# result = 'null'
//# logs = [["log", "only this"]]
//# calls = [["demo.echo", "applied"]]
tools.demo.echo(1).then(console.log);
console.log("only this");
