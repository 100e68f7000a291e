//# title = "an error of the program's own class has the name it sets"
//# [expect.error]
//# code = "THROWN"
//# name = "NotFound"
//# message = 'no city'
//# line = 14
//# column = 7
class NotFound extends Error {
  constructor(what: string) {
    super(`no ${what}`);
    this.name = "NotFound";
  }
}
throw new NotFound("city");
