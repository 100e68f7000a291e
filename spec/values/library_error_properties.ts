//# title = "errors have what errors have"
//# [expect]
//# result = '["m",1,"Error","Error: m",[],true,true,"[object Error]",[1],"string","no new",false]'
const e = new Error("m", { cause: 1 });
class Sub extends TypeError {}
return [e.message, e.cause, e.name, String(e), Object.keys(e), e instanceof Error, new Sub("x") instanceof TypeError, Object.prototype.toString.call(e), new AggregateError([1], "a").errors, typeof e.stack, Error("no new").message, "cause" in new Error("x")];
