//# title = "getters of name and message are read"
//# [expect.error]
//# code = "THROWN"
//# name = "Odd"
//# message = 'from a getter'
//# line = 12
//# column = 7
class Odd extends Error {
  get name() { return "Odd"; }
  get message() { return "from a getter"; }
}
throw new Odd();
