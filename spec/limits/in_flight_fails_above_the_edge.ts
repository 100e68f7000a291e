//# title = "one call more at once than the limit is IN_FLIGHT_LIMIT where excess fails"
//# tools = "demo"
//# limits = { inFlight = 2, inFlightExcess = "fail" }
//# [expect]
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"]]
//# [expect.error]
//# code = "IN_FLIGHT_LIMIT"
//# name = 'InFlightLimitError'
//# message = 'the program had more than 2 tool calls under way at once'
//# line = 14
//# column = 26
//# details = { limit = 2 }
const two = [tools.demo.echo(1), tools.demo.echo(2)];
const third = tools.demo.echo(3);
await Promise.all(two);
await third;
