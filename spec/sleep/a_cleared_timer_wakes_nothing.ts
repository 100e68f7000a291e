//# title = "a timer that was set before a sleep is cleared after it"
//# [config.limits]
//# lifetime = "1h"
//# [[passes]]
//# sleeps = true
//# [expect]
//# result = '"one"'
//# logs = [["log", "one"]]
const kept = [setTimeout(() => console.log("never"), 4000)];
const result = await new Promise((done) => setTimeout(() => { console.log("one"); done("one"); }, 2050));
clearTimeout(kept[0]);
return result;
