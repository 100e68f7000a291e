//# title = "failed calls inside of an AggregateError leave it the program's own"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"], ["demo.fail", "failed"]]
//# [expect.error]
//# code = "THROWN"
//# name = "AggregateError"
//# message = ''
await Promise.any([tools.demo.fail({ message: "a" }), tools.demo.fail({ message: "b" })]);
