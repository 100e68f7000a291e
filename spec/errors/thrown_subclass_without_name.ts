//# title = "an error of the program's own class without a name is an Error"
//# [expect.error]
//# code = "THROWN"
//# name = "RangeError"
//# message = 'hush'
//# line = 9
//# column = 7
class Quiet extends RangeError {}
throw new Quiet("hush");
