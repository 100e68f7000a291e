//# title = "the position of a call over several lines is where it begins, not its last argument"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "failed"]]
//# [expect.error]
//# code = "INVALID_INPUT"
//# name = 'InvalidInputError'
//# message = 'invalid input for tool `demo.wait`: at /ms: "11" is not of type "integer"'
//# line = 11
//# column = 18
await tools.demo.wait({
  ms: String(
    1,
  ) + [1].map((x) => x).join(""),
});
