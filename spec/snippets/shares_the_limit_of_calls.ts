//# title = "a program and its snippets share the limit of calls"
//# tools = "spec"
//# limits = { calls = 4 }
//# [snippets]
//# many = 'let made = 0; try { for (;;) { await tools.spec.key.suffix(); made++ } } catch (error) { return [made, error.code] }'
//# [expect]
//# result = '[[2,"CALL_LIMIT"],"CALL_LIMIT"]'
//# calls = [["spec.key.suffix", "applied"], ["codemode.run", "applied"], ["spec.key.suffix", "applied"], ["spec.key.suffix", "applied"], ["spec.key.suffix", "failed"]]
await tools.spec.key.suffix();
const many = await codemode.run("many");
return [many, await tools.spec.key.suffix().catch((error) => error.code)];
