//# title = "a name that is used before its declaration is a ReferenceError"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = 'later is not initialized'
//# line = 8
//# column = 17
const f = () => later;
f();
const later = 1;
