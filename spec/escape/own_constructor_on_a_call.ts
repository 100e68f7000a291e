//# title = "an own constructor on the promise of a call makes await ask its then, as the language says"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "issued"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = 'DetachedCallError'
//# message = 'the program returned while its call of `demo.echo` was never awaited'
//# line = 11
//# column = 30
const call: any = tools.demo.echo(1);
call.constructor = class {};
call.then = (resolve: any) => resolve("forged");
return await call;
