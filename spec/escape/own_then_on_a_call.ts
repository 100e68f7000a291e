//# title = "an own then on the promise of a call is not asked by await"
//# tools = "demo"
//# [expect]
//# result = '1'
//# calls = [["demo.echo", "applied"]]
const call: any = tools.demo.echo(1);
call.then = (resolve: any) => resolve("forged");
return await call;
