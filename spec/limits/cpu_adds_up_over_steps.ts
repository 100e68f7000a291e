//# title = "processor time adds up over the steps of a program"
//# tools = "demo"
//# limits = { cpu = "100ms", timeout = "20s", calls = 200 }
//# [expect]
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"]]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program used more than 100ms of processor time'
//# stoppedIn = [12, 15]
//# details = { limit = "cpu" }
const work = () => { for (let i = 0; i < 400_000; i++); };
await tools.demo.echo({});
await tools.demo.echo({});
for (;;) { work(); await null; }
