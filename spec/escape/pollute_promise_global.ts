//# title = "a replaced global Promise is not the one of the bridge"
//# tools = "demo"
//# [expect]
//# result = '[1,true,"NativePromise"]'
//# calls = [["demo.echo", "applied"]]
const Native = Promise;
(globalThis as any).Promise = class Fake { constructor() { throw new Error("no"); } static resolve() { throw new Error("no"); } };
const call = tools.demo.echo(1);
return [await call, call instanceof Native, call.constructor === Native ? "NativePromise" : "other"];
