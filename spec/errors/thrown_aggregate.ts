//# title = "an AggregateError keeps its message"
//# [expect.error]
//# code = "THROWN"
//# name = "AggregateError"
//# message = 'both failed'
//# line = 9
//# column = 7
const error = new AggregateError([1, 2], "both failed");
throw error;
