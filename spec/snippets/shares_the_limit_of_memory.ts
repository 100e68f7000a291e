//# title = "a program and its snippets share one limit of memory, and an ended snippet gives back what it had"
//# tools = "spec"
//# [limits]
//# memory = "8MiB"
//# [snippets]
//# fills = "const kept = new Uint8Array(input * 2 ** 20); await tools.spec.key.suffix(); return kept.length"
//# [expect]
//# result = '[3145728,3145728,3145728,"MEMORY",1048576,4194304]'
//# calls = [["codemode.run", "applied"], ["spec.key.suffix", "applied"], ["codemode.run", "applied"], ["spec.key.suffix", "applied"], ["codemode.run", "applied"], ["spec.key.suffix", "applied"], ["codemode.run", "failed"], ["codemode.run", "applied"], ["spec.key.suffix", "applied"]]
const results: unknown[] = [];
const fills = async (size: number) => results.push(await codemode.run("fills", size).catch((error) => error.code));
await fills(3);
await fills(3);
await fills(3);
const own = new Uint8Array(4 * 2 ** 20);
await fills(3);
await fills(1);
return [...results, own.length];
