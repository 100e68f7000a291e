//# title = "text comes out of a tool as it was, NUL and line separators included"
//# tools = "spec"
//# [expect]
//# result = '[true,6]'
//# calls = [["spec.value", "applied"]]
const text = await tools.spec.value({ kind: "unicode" });
return [text === "ä\u2028\0😀", text.length + 1];
