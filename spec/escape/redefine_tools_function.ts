//# title = "a function named tools hides the global inside its scope only"
//# tools = "demo"
//# [expect]
//# result = '["mine",1]'
//# calls = [["demo.echo", "applied"]]
const inner = (() => { function tools() { return "mine"; } return tools(); })();
return [inner, await tools.demo.echo(1)];
