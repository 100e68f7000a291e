//# title = "a timer that is set when the program returns fires, and its calls are waited for"
//# tools = "demo"
//# crashChanges = "a call that was left behind is not made again"
//# [expect]
//# result = '1'
//# logs = [["log", "fired"]]
//# calls = [["demo.wait", "applied"]]
setTimeout(() => console.log("fired"), 1);
tools.demo.wait({ ms: 30 }).then(() => console.log("never"));
return 1;
