//# title = "a name that is no text is left out"
//# differsFromNode = "Node is asked for the name, which is 5"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'm'
//# line = 9
//# column = 7
throw { name: 5, message: "m" };
