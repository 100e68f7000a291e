//# title = "Reflect.apply and Function.prototype.call make a call, whatever the receiver"
//# tools = "demo"
//# [expect]
//# result = '[1,2,3]'
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"]]
const { call, apply } = (() => {}) as any;
return [await Reflect.apply(tools.demo.echo, null, [1]), await call.call(tools.demo.echo, {}, 2), await apply.call(tools.demo.echo, 7, [3])];
