//# title = "timers fire once, in their order, also where they fired before a pause"
//# tools = "spec"
//# [[passes]]
//# pending = [["3", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '["first","second"]'
//# calls = [["spec.pay", "applied"]]
const fired = [];
setTimeout(() => fired.push("second"), 20);
setTimeout(() => fired.push("first"), 5);
const cleared = setTimeout(() => fired.push("never"), 10);
clearTimeout(cleared);
await tools.spec.pay({ amount: 1 });
await new Promise((done) => setTimeout(done, 5));
return fired;
