//# title = "a thrown revoked Proxy is THROWN"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'Error'
//# message = '[unreadable]'
//# line = 12
//# column = 7
const { proxy, revoke } = Proxy.revocable(new Error("x"), {});
revoke();
throw proxy;
