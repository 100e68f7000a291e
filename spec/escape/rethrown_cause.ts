//# title = "an error of a call as the cause of another one is THROWN"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"]]
//# [expect.error]
//# code = "THROWN"
//# name = 'Error'
//# message = 'mine'
//# line = 12
//# column = 7
const cause = await tools.demo.fail({ message: "x" }).catch((error) => error);
throw new Error("mine", { cause });
