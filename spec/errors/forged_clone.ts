//# title = "a structured clone of a host error is THROWN"
//# tools = "demo"
//# [expect]
//# calls = [["demo.fail", "failed"]]
//# result = '["real",true,false]'
try {
  await tools.demo.fail({ message: "real" });
} catch (error) {
  const clone = structuredClone(error);
  return [clone.message, clone instanceof Error, clone === error];
}
