//# title = "timers are not calls in flight"
//# tools = "demo"
//# limits = { inFlight = 1, inFlightExcess = "fail" }
//# [expect]
//# result = '1'
//# calls = [["demo.echo", "applied"]]
//# warnings = ['the program returned, and its timer in line 8, column 29 was due too late to be waited for: the timer did not fire. Await what the timer is for, or remove it with `clearTimeout` or `unref()`']
for (let i = 0; i < 5; i++) setTimeout(() => {}, 60_000);
return await tools.demo.echo(1);
