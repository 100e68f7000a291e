//# title = "Promise.allSettled over calls tells what became of each"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"], ["demo.fail", "failed"], ["no.such", "failed"]]
//# result = '[{"a":1},"TOOL","UNKNOWN_TOOL"]'
const all = await Promise.allSettled([tools.demo.echo({ a: 1 }), tools.demo.fail({ message: "x" }), tools.no.such({})]);
return all.map((one) => one.status === "fulfilled" ? one.value : one.reason.code);
