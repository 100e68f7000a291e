//# title = "getters that throw do not hide the failure"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = '{"name":[Getter],"message":[Getter]}'
//# line = 8
//# column = 7
throw { get name() { throw new Error("n"); }, get message() { throw new Error("m"); } };
