//# title = "timers that became due while no process ran the program fire in their order on resume"
//# tools = "spec"
//# [[passes]]
//# crash = true
//# [expect]
//# result = '["first","second","third"]'
//# calls = [["spec.crashSafely", "applied"]]
const fired = [];
setTimeout(() => fired.push("third"), 40);
setTimeout(() => fired.push("first"), 20);
setTimeout(() => fired.push("second"), 30);
await tools.spec.crashSafely();
await new Promise((done) => setTimeout(done, 100));
return fired;
