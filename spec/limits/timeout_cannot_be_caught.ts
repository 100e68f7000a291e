//# title = "the time-out is nothing that a program can catch or delay"
//# limits = { timeout = "100ms" }
//# [expect]
//# logs = [["log", "started"]]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
//# line = 14
//# column = 5
console.log("started");
for (;;) {
  try {
    for (;;) {}
  } catch {
    console.log("caught");
  } finally {
    console.log("finally");
  }
}
