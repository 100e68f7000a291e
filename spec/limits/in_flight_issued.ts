//# title = "a call that waits for its turn when the time is up was only issued"
//# checks = "off"
//# tools = "spec"
//# limits = { inFlight = 1, timeout = "100ms" }
//# [expect]
//# calls = [["spec.hang", "cancelled-unknown"], ["demo.echo", "issued"], ["no.such.tool", "issued"]]
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 100ms: it was waiting for its call of `spec.hang` and 2 more'
//# line = 13
//# column = 31
await Promise.all([tools.spec.hang({}), tools.demo.echo({}), tools.no.such.tool({})]);
