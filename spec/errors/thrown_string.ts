//# title = "a string that is thrown is the message"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'just text'
//# line = 9
//# column = 9
if (true) {
  throw "just text";
}
