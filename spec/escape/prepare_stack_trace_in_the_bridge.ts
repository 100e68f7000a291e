//# title = "Error.prepareStackTrace runs when a refusal is made, and what it does there counts like anything else"
//# tools = "demo"
//# limits = { calls = 2 }
//# [expect]
//# result = '["INVALID_INPUT","applied twice",true]'
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"]]
let inner: any;
(Error as any).prepareStackTrace = () => { inner ??= Promise.all([tools.demo.echo(1), tools.demo.echo(2)]); return "forged stack"; };
const error: any = await tools.demo.echo(1, 2).catch((error) => error);
inner ??= Promise.all([tools.demo.echo(1), tools.demo.echo(2)]);
return [error.code, (await inner).join() === "1,2" ? "applied twice" : "lost", typeof error.stack === "string"];
