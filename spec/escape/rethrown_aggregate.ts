//# title = "errors of calls inside an AggregateError are THROWN, with a message that says what happened"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"], ["demo.fail", "failed"]]
//# [expect.error]
//# code = "THROWN"
//# name = 'AggregateError'
//# message = 'All promises were rejected'
//# line = 11
//# column = 15
await Promise.any([tools.demo.fail({ message: "a" }), tools.demo.fail({ message: "b" })]);
