//# title = "an AggregateError holds the errors of the calls"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"], ["demo.fail", "failed"]]
//# result = '["AggregateError",["TOOL a","TOOL b"]]'
const calls = [tools.demo.fail({ message: "a" }), tools.demo.fail({ message: "b" })];
try {
  await Promise.any(calls);
} catch (error) {
  return [error.name, error.errors.map((e: any) => e.code + " " + e.message)];
}
