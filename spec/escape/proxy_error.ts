//# title = "a thrown Proxy of an error is read through its traps, and is THROWN"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'Trapped name'
//# message = 'Trapped message'
//# line = 9
//# column = 1
throw new Proxy(new Error("x"), { get: (_, key) => "Trapped " + String(key), getPrototypeOf() { throw new Error("no"); } });
