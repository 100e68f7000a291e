//# title = "an error in a microtask ends the program"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'microtask'
//# line = 9
//# column = 9
queueMicrotask(() => {
  throw new Error("microtask");
});
await null;
await null;
return 1;
