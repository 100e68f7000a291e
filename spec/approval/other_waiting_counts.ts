//# title = "time in which the program also waits for something other than approval counts"
//# crashChanges = "after a crash there is nothing to wait for but people, one of whom takes an hour"
//# tools = "demo"
//# approver = "yes"
//# approverTakes = "1h"
//# policy = [{ tools = "mail.*", require = "approval" }]
//# limits = { timeout = "1s" }
//# [expect]
//# calls = [["mail.send", "issued"], ["demo.wait", "cancelled-unknown"]]
//# [expect.error]
//# code = "TIMEOUT"
//# name = "TimeoutError"
//# message = "the program took longer than 1s: it was waiting for its call of `demo.wait`"
//# line = 16
//# column = 75
await Promise.all([tools.mail.send({ to: "a", subject: "b" }), tools.demo.wait({ ms: 20_000 })]);
