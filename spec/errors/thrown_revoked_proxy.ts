//# title = "a revoked proxy can be thrown"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = '[unreadable]'
//# line = 11
//# column = 7
const { proxy, revoke } = Proxy.revocable({}, {});
revoke();
throw proxy;
