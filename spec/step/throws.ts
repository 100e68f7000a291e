//# title = "what the work of a step throws is thrown by the step, and nothing is recorded"
//# tools = "demo"
//# [expect]
//# result = '["RangeError","too far",true]'
const error = new RangeError("too far");
try {
  await codemode.step("far", async () => { throw error; });
} catch (caught) {
  return [caught.name, caught.message, caught === error];
}
