//# title = "a message with a NUL arrives whole"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"]]
//# result = '["a\u0000b",3]'
try {
  await tools.demo.fail({ message: "a\u0000b" });
} catch (error) {
  return [error.message, error.message.length];
}
