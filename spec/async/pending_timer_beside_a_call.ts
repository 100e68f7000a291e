//# title = "a timer that is set when the program returns fires, and its calls are waited for"
//# tools = "demo"
//# crashChanges = "a call that was left behind is not made again"
//# [expect]
//# result = '1'
//# logs = [["log", "fired"]]
//# calls = [["demo.wait", "applied"]]
//# warnings = ['the program returned while code was waiting for its call in line 10, column 12, and nothing was waiting for that code: the rest of it did not run. Await every promise: `forEach` awaits none, `await Promise.all(list.map(async …))` does']
setTimeout(() => console.log("fired"), 1);
tools.demo.wait({ ms: 30 }).then(() => console.log("never"));
return 1;
