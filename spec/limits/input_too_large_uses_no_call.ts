//# title = "a refused input uses up no call"
//# tools = "demo"
//# limits = { input = 12, calls = 1 }
//# [expect]
//# result = '["INPUT_TOO_LARGE","INPUT_TOO_LARGE",{"a":1}]'
//# calls = [["demo.echo", "applied"]]
const codes: unknown[] = [];
for (let i = 0; i < 2; i++) {
  try { await tools.demo.echo({ a: "far too long" }); } catch (error) { codes.push(error.code); }
}
return [...codes, await tools.demo.echo({ a: 1 })];
