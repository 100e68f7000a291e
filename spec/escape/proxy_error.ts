//# title = "a thrown Proxy of an error is read through its traps, and is THROWN"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'Trapped name'
//# message = 'Trapped message'
//# line = 10
//# column = 7
const trapped = new Proxy(new Error("x"), { get: (_, key) => "Trapped " + String(key), getPrototypeOf() { throw new Error("no"); } });
throw trapped;
