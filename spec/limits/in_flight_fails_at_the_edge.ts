//# title = "as many calls at once as the limit are fine where excess fails"
//# tools = "demo"
//# limits = { inFlight = 2, inFlightExcess = "fail" }
//# [expect]
//# result = '[1,2,3,4]'
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"]]
const first = await Promise.all([tools.demo.echo(1), tools.demo.echo(2)]);
return [...first, ...(await Promise.all([tools.demo.echo(3), tools.demo.echo(4)]))];
