//# title = "an error with a cause keeps its own message"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'could not read'
//# line = 11
//# column = 9
try {
  JSON.parse("{");
} catch (cause) {
  throw new Error("could not read", { cause });
}
