//# title = "a Promise.any of which all fail is an AggregateError"
//# [expect.error]
//# code = "THROWN"
//# name = "AggregateError"
//# message = '?'
await Promise.any([Promise.reject(new Error("a")), Promise.reject(new Error("b"))]);
