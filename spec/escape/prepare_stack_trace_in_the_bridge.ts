//# title = "Error.prepareStackTrace runs when a refusal is made, and what it does there counts like anything else"
//# tools = "demo"
//# limits = { calls = 2 }
//# [expect]
//# result = '["INVALID_INPUT",1,[1,2],"forged stack"]'
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"]]
let times = 0;
let inner: any;
(Error as any).prepareStackTrace = () => { if (times++ === 0) inner = Promise.all([tools.demo.echo(1), tools.demo.echo(2)]); return "forged stack"; };
const error: any = await tools.demo.echo(1, 2).catch((error) => error);
return [error.code, times, await inner, error.stack];
