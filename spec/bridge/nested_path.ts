//# title = "a tool can be nested as deep as its path says"
//# tools = "spec"
//# [expect]
//# result = '"deep"'
//# calls = [["spec.key.of.this.call", "applied"]]
return await tools.spec.key.of.this.call({});
