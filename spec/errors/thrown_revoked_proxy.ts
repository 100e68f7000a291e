//# title = "a revoked proxy can be thrown"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = '[unreadable]'
//# line = 10
//# column = 7
const { proxy, revoke } = Proxy.revocable({}, {});
revoke();
throw proxy;
