//# title = "a structured clone of an error of a call is THROWN"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"]]
//# [expect.error]
//# code = "THROWN"
//# name = 'Error'
//# message = 'x'
//# line = 12
//# column = 7
const error = await tools.demo.fail({ message: "x" }).catch((error) => error);
throw await Promise.resolve(error).then(structuredClone);
