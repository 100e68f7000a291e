//# title = "an error of the program with everything of an error of a call copied to it is THROWN"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"]]
//# [expect.error]
//# code = "THROWN"
//# name = 'ToolError'
//# message = 'x'
//# line = 15
//# column = 7
const error = await tools.demo.fail({ message: "x" }).catch((error) => error);
const forged = new Error();
for (const key of Reflect.ownKeys(error)) Object.defineProperty(forged, key, Object.getOwnPropertyDescriptor(error, key)!);
Object.setPrototypeOf(forged, Object.getPrototypeOf(error));
throw forged;
