//# title = "calls made in the step that never ended were never started, nor heard of"
//# checks = "off"
//# tools = "demo"
//# limits = { timeout = "100ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms'
//# line = 13
//# column = 1
tools.mail.send({ to: "a", subject: "b" });
for (;;) {}
