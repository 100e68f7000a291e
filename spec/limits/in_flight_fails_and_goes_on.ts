//# title = "a call refused as one too many at once uses up no call, and the next one is fine"
//# tools = "demo"
//# limits = { inFlight = 1, inFlightExcess = "fail", calls = 2 }
//# [expect]
//# result = '["IN_FLIGHT_LIMIT",1,2]'
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"]]
const one = tools.demo.echo(1);
const refused = await tools.demo.echo("refused").catch((error) => error.code);
return [refused, await one, await tools.demo.echo(2)];
