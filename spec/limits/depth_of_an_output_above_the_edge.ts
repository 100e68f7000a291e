//# title = "an output that is nested 101 levels deep fails its call with SERIALIZATION"
//# crashChanges = "nobody can say what came of the call: it is nested too deeply"
//# tools = "spec"
//# [expect]
//# result = '["SERIALIZATION","SerializationError"]'
//# calls = [["spec.nested", "failed"]]
try {
  return await tools.spec.nested({ depth: 101 });
} catch (error) {
  return [error.code, error.name];
}
