//# title = "an error that wraps a host error is the program's own"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"]]
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'wrapped'
//# line = 14
//# column = 9
try {
  await tools.demo.fail({ message: "real" });
} catch (cause) {
  throw new Error("wrapped", { cause });
}
