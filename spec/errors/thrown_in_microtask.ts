//# title = "an error in a microtask ends the program"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'microtask'
//# line = 10
//# column = 9
queueMicrotask(() => {
  throw new Error("microtask");
});
await null;
await null;
return 1;
