//# title = "an error of a global of the prelude has the position of the program"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = '?'
//# line = 9
//# column = 8
const text = "no address";
return new URL(text).href;
