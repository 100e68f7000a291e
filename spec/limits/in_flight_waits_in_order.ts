//# title = "calls that wait start in the order in which they were made"
//# tools = "demo"
//# limits = { inFlight = 1 }
//# [expect]
//# result = '[[0,1,2,3],[0,1,2,3]]'
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"]]
const order: number[] = [];
const answers = await Promise.all([0, 1, 2, 3].map((n) => tools.demo.echo(n).then((got) => (order.push(got), got))));
return [answers, order];
