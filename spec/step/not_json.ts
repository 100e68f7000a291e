//# title = "a result that is no JSON cannot be recorded"
//# tools = "demo"
//# [expect]
//# result = '["SERIALIZATION","the input of tools.codemode.step is not JSON: `1` is a BigInt; convert it with String(…) or Number(…)"]'
try {
  await codemode.step("big", () => 1n);
} catch (error) {
  return [error.code, error.message];
}
