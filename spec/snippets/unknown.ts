//# title = "names, versions and inputs that are wrong have a code each"
//# [snippets.typed]
//# code = 'return input.count'
//# inputSchema = '{"type":"object","properties":{"count":{"type":"integer"}},"required":["count"]}'
//# [expect]
//# result = '["NOT_FOUND","there is no snippet `type`; did you mean `typed`?","NOT_FOUND","INVALID_INPUT","INVALID_INPUT","INVALID_INPUT",7]'
//# calls = [["codemode.run", "failed"], ["codemode.run", "failed"], ["codemode.run", "failed"], ["codemode.run", "failed"], ["codemode.run", "failed"], ["codemode.run", "applied"]]
const error = async (name, input?) => codemode.run(name, input).then(() => undefined, (error) => error);
const missing = await error("type");
const codes = [];
for (const [name, input] of [["typed@99", {}], ["a b", {}], ["typed", { count: "7" }], [7, {}]] as const) codes.push((await error(name, input)).code);
return [missing.code, missing.message, ...codes, await codemode.run("typed", { count: 7 })];
