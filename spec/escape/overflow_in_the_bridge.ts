//# title = "a call that is made where the stack ends is a stack overflow, not an input that is nested too deeply"
//# tools = "demo"
//# [expect]
//# result = '"RangeError"'
let call: any;
function deep(): void { try { deep(); } catch { if (call === undefined) call = tools.demo.echo({ a: 1.5 }); } }
deep();
return await call.then(() => "answered", (error: Error) => error.name);
