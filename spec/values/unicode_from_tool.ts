//# title = "text from a tool arrives as it is"
//# tools = "spec"
//# [expect]
//# calls = [["spec.value", "applied"]]
//# result = '[228,8232,0,128512]'
const text = await tools.spec.value({ kind: "unicode" });
return [...text].map((c) => c.codePointAt(0));
