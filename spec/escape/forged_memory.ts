//# title = "an InternalError of the program's own making is THROWN"
//# differsFromNode = "Node has no InternalError"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'InternalError'
//# message = 'out of memory'
//# line = 11
//# column = 7
const { InternalError } = globalThis as any;
throw new InternalError("out of memory");
