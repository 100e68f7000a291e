//# title = "export default of a class is called as every function is, which classes refuse"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "class constructors must be invoked with 'new'"
//# line = 8
//# column = 1
export default class Main {}
