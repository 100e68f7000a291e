//# title = "Promise.allSettled has the answers and the errors of all calls"
//# tools = "demo"
//# [expect]
//# result = '["fulfilled","rejected","rejected","rejected"]'
//# calls = [["demo.echo", "applied"], ["demo.fail", "failed"], ["no.tool", "failed"]]
const all = await Promise.allSettled([tools.demo.echo(1), tools.demo.fail({ message: "x" }), tools.no.tool(), tools.demo.echo(1n)]);
return all.map((one) => one.status);
