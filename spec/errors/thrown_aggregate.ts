//# title = "an AggregateError keeps its message"
//# [expect.error]
//# code = "THROWN"
//# name = "AggregateError"
//# message = 'both failed'
//# line = 8
//# column = 7
throw new AggregateError([new Error("a"), new Error("b")], "both failed");
