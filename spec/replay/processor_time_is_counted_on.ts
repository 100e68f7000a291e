//# title = "the limit of processor time holds after a pause as before it"
//# tools = "spec"
//# limits = { cpu = "200ms", timeout = "20s" }
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# calls = [["spec.pay", "applied"]]
//# [expect.error]
//# code = "TIMEOUT"
//# name = "TimeoutError"
//# message = "the program used more than 200ms of processor time"
//# stoppedIn = [15, 18]
//# details = { limit = "cpu" }
const work = () => { for (let i = 0; i < 400_000; i++); };
work();
await tools.spec.pay({ amount: 1 });
for (;;) { work(); await null; }
