//# title = "a thrown revoked Proxy is THROWN"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'Error'
//# message = '[unreadable]'
//# line = 11
//# column = 7
const { proxy, revoke } = Proxy.revocable(new Error("x"), {});
revoke();
throw proxy;
