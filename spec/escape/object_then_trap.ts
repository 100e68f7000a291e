//# title = "a result that is a thenable is the program's own business, and ends in what it resolves to"
//# tools = "demo"
//# [expect]
//# result = '"trapped"'
//# calls = [["demo.echo", "applied"]]
Object.defineProperty(Object.prototype, "then", { value(resolve: any) { delete (Object.prototype as any).then; resolve("trapped"); }, configurable: true });
return await tools.demo.echo({ a: 1 }).then((answer) => answer);
