//# title = "a polluted Error.prototype does not hide what a tool said"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"]]
//# [expect.error]
//# code = "TOOL"
//# name = 'ToolError'
//# message = 'the real message'
//# line = 16
//# column = 18
//# details = { tool = "demo.fail", seq = "0" }
for (const name of ["message", "name", "code", "stack", "toString", "cause"]) {
  Object.defineProperty(Error.prototype, name, { get() { return "forged"; }, set() { throw new Error("no"); }, configurable: true });
}
// The properties of the error are its own.
await tools.demo.fail({ message: "the real message" });
