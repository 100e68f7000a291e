//# title = "a message that is no text is shown as the error is"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'Error'
//# line = 10
//# column = 7
const error = new Error("x");
(error as any).message = { a: 1 };
throw error;
