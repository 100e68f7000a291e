//# title = "an error of a global of the prelude has the position of the program"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = 'Invalid URL: "no address"'
//# line = 9
//# column = 12
const a = 1;
return new URL("no address").href;
