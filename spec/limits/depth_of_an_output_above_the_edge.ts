//# title = "an output that is nested 101 levels deep fails its call with SERIALIZATION"
//# tools = "spec"
//# [expect]
//# result = '["SERIALIZATION","SerializationError"]'
//# calls = [["spec.nested", "failed"]]
try {
  return await tools.spec.nested({ depth: 101 });
} catch (error) {
  return [error.code, error.name];
}
