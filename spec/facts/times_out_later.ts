//# title = "facts stay when the program is stopped later, inside of a step too"
//# tools = "demo"
//# limits = { cpu = "100ms", timeout = "20s" }
//# [expect]
//# facts = '{"first":1,"second":2}'
//# calls = [["demo.echo", "applied"]]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program used more than 100ms of processor time'
//# stoppedIn = [15, 15]
codemode.fact("first", 1);
await tools.demo.echo(1);
codemode.fact("second", 2);
for (;;) {}
