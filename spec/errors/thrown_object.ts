//# title = "an object without a message is shown"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = '{"status":404,"body":["x"]}'
//# line = 8
//# column = 7
throw { status: 404, body: ["x"] };
