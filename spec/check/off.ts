//# title = "with `off`, mistakes are found by the run"
//# tools = "demo"
//# checks = "off"
//# [expect]
//# result = '"INVALID_INPUT"'
//# calls = [["demo.wait", "failed"]]
try {
  return await tools.demo.wait({ ms: -1 });
} catch (error) {
  return error.code;
}
