//# title = "a function of other languages and libraries has a hint of its own"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = "sleep is not defined"
//# line = 9
//# column = 7
//# hint = 'declare it: `const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))`'
await sleep(5);
return 1;
