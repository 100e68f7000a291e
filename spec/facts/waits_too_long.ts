//# title = "facts stay when the time of the program is up while it waits"
//# tools = "demo"
//# limits = { timeout = "300ms" }
//# [expect]
//# facts = '{"first":1}'
//# [expect.error]
//# code = "TIMEOUT"
//# name = 'TimeoutError'
//# message = 'the program took longer than 300ms'
codemode.fact("first", 1);
globalThis.facts = { unread: 1 };
await new Promise((done) => setTimeout(done, 60_000));
