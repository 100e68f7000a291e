//# title = "an output that is nested 128 levels deep fails its call with SERIALIZATION"
//# tools = "spec"
//# [expect]
//# result = '["SERIALIZATION","SerializationError"]'
//# calls = [["spec.nested", "failed"]]
try {
  return await tools.spec.nested({ depth: 128 });
} catch (error) {
  return [error.code, error.name];
}
