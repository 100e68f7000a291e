//# title = "errors that the engine makes behind an await are the program's own, and show nothing of a wrapper"
//# tools = "demo"
//# [expect]
//# result = '[true,true,"TypeError: cannot read \"x\" of null\n    at inner (main.ts:8:19)"]'
//# calls = [["demo.echo", "applied"]]
async function inner() {
  await tools.demo.echo(1);
    (null as any).x;
}
const error: any = await inner().catch((error) => error);
return [error.constructor === TypeError, error instanceof Error, error.stack];
