//# title = "timers are not calls in flight"
//# tools = "demo"
//# limits = { inFlight = 1, inFlightExcess = "fail" }
//# [expect]
//# result = '1'
//# calls = [["demo.echo", "applied"]]
for (let i = 0; i < 5; i++) setTimeout(() => {}, 60_000);
return await tools.demo.echo(1);
