//# title = "a call whose input does not fit beside those that wait is INPUT_TOO_LARGE, and one after their answers is not"
//# tools = "demo"
//# limits = { input = 1000 }
//# [expect]
//# result = '["INPUT_TOO_LARGE","the inputs of unanswered calls are more than 8000 bytes together","answered"]'
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"]]
const input = "x".repeat(998); // 1,000 bytes of JSON
const calls = Array.from({ length: 8 }, () => tools.demo.echo(input));
const refused = await tools.demo.echo(1).then(() => null, (error) => error);
await Promise.all(calls);
return [refused.code, refused.message, await tools.demo.echo(1).then(() => "answered")];
