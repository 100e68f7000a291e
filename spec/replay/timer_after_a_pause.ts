//# title = "a timer that is set after a pause waits as long as any"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '[1,1]'
//# calls = [["spec.pay", "applied"]]
const { paid } = await tools.spec.pay({ amount: 1 });
let fired = 0;
const timer = setTimeout(() => fired++, 0);
await new Promise((done) => setTimeout(done, 5));
clearTimeout(timer);
return [paid, fired];
