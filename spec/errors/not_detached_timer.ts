//# title = "a timer that is left over is fine"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# result = '{"a":1}'
//# warnings = ['the program returned, and its timer in line 7, column 1 was due too late to be waited for: the timer did not fire. Await what the timer is for, or remove it with `clearTimeout` or `unref()`']
setTimeout(() => console.log("never"), 10000);
return await tools.demo.echo({ a: 1 });
