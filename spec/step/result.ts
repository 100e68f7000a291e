//# title = "a step gives what its work gave, as JSON gives it back"
//# tools = "demo"
//# [expect]
//# result = '[{"n":3,"at":"1970-01-01T00:00:00.000Z"},true,null,[]]'
//# calls = [["demo.echo", "applied"], ["codemode.step", "applied"], ["codemode.step", "applied"], ["codemode.step", "applied"], ["codemode.step", "applied"]]
const sum = await codemode.step("sum", async () => ({ n: 1 + await tools.demo.echo(2), at: new Date(0), gone: undefined }));
const nothing = await codemode.step("nothing", () => {});
return [sum, nothing === undefined, await codemode.step("null", () => null), await codemode.step("list", () => [])];
