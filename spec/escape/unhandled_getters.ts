//# title = "reading an unhandled error runs its getters, and calls made there are detached"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# logs = [["error", "unhandled rejection: Error: got you"]]
//# calls = [["mail.send", "issued"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = 'DetachedCallError'
//# message = 'the program returned while its call of `mail.send` was never awaited'
//# line = 13
//# column = 83
Promise.reject(Object.defineProperty(new Error(), "message", { get() { tools.mail.send({ to: "a", subject: "b" }); return "got you"; } }));
return 1;
