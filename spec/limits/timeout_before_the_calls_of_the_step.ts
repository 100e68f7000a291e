//# title = "calls made in the step that never ended were never started, nor heard of"
//# checks = "off"
//# tools = "demo"
//# limits = { timeout = "500ms" }
//# [expect]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 500ms'
//# line = 13
//# column = 1
tools.mail.send({ to: "a", subject: "b" });
for (;;) {}
