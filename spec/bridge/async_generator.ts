//# title = "calls work inside generators, getters, classes and callbacks"
//# tools = "demo"
//# [expect]
//# result = '[1,2,3,4,5]'
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"]]
async function* generate() { yield await tools.demo.echo(1); yield tools.demo.echo(2); }
class Box { #call = tools.demo.echo(3); get value() { return this.#call; } static async make() { return new Box(); } }
const seen: unknown[] = [];
for await (const one of generate()) seen.push(one);
seen.push(await (await Box.make()).value);
await new Promise<void>((resolve) => setTimeout(async () => { seen.push(await tools.demo.echo(4)); resolve(); }, 1));
for await (const one of [tools.demo.echo(5)]) seen.push(one);
return seen;
