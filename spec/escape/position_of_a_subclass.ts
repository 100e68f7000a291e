//# title = "an error of a subclass without a constructor is thrown where it is made, not where the class is"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'Mine'
//# message = 'x'
//# line = 10
//# column = 7
class Mine extends Error { get name() { return "Mine"; } }
throw new Mine("x");
