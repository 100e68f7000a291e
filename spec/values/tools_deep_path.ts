//# title = "a path may be nested at any depth"
//# tools = "spec"
//# [expect]
//# calls = [["spec.key.of.this.call", "applied"]]
//# result = '"deep"'
const { key } = tools.spec;
return await key.of.this.call({});
