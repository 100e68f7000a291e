//# title = "errors of calls inside an AggregateError are THROWN, with a message that says what happened"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"], ["demo.fail", "failed"]]
//# [expect.error]
//# code = "THROWN"
//# name = 'AggregateError'
//# message = 'All promises were rejected'
await Promise.any([tools.demo.fail({ message: "a" }), tools.demo.fail({ message: "b" })]);
