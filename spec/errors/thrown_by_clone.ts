//# title = "an error of structuredClone has the position of the program"
//# [expect.error]
//# code = "THROWN"
//# name = "DataCloneError"
//# message = '[Function: f] could not be cloned.'
//# line = 9
//# column = 8
const f = () => 1;
return structuredClone(f);
