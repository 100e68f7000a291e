//# title = "characters in a type count as one each"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'here'
//# line = 8
//# column = 41
const f = (a: "äöü😀" | null) => { throw new Error("here"); };
f(null);
