//# title = "a timer that is cleared by what arrives together with it does not fire"
//# tools = "demo"
//# [expect]
//# result = '0'
//# calls = [["demo.wait", "applied"]]
let fired = 0;
const timers = [20, 20, 20].map((ms) => setTimeout(() => { fired += 1; }, ms));
const interval = setInterval(() => { fired += 1; }, 20);
await tools.demo.wait({ ms: 20 });
const before = fired;
timers.forEach(clearTimeout);
clearInterval(interval);
await new Promise((resolve) => setTimeout(resolve, 60));
return fired - before;
