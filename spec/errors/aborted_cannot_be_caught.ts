//# title = "the program does not notice: nothing of it runs after that"
//# tools = "spec"
//# expect.error.code = "ABORTED"
//# expect.error.name = "AbortError"
//# expect.error.message = "the caller cancelled the execution"
//# expect.logs = [["log", "before"]]
//# expect.calls = [["spec.cancel", "cancelled-unknown"]]
console.log("before");
try {
  await tools.spec.cancel();
} catch {
  console.log("caught");
} finally {
  console.log("finally");
}
return 1;
