//# title = "the size of an input counts bytes of UTF-8"
//# tools = "demo"
//# limits = { input = 12 }
//# [expect]
//# result = '["INPUT_TOO_LARGE","InputTooLargeError","the input of tool `demo.echo` is 16 bytes, and the limit is 12 bytes"]'
try {
  await tools.demo.echo({ a: "ääää" });
} catch (error) {
  return [error.code, error.name, error.message];
}
