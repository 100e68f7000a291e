//# title = "facts stay when the program is stopped later, inside of a step too"
//# tools = "demo"
//# limits = { timeout = "300ms" }
//# notUnderNode = "Node does not stop it"
//# [expect]
//# facts = '{"first":1,"second":2}'
//# calls = [["demo.echo", "applied"]]
//# [expect.error]
//# code = "TIMEOUT"
//# name = "TimeoutError"
//# message = "the program did not finish within 300 ms"
//# stoppedIn = [15, 16]
codemode.fact("first", 1);
await tools.demo.echo(1);
codemode.fact("second", 2);
for (;;) {}
