//# title = "the promise, the answer and the error of a call have the constructors of the program"
//# tools = "demo"
//# [expect]
//# result = '["code cannot be made from text here","code cannot be made from text here","code cannot be made from text here",true,true,true]'
//# calls = [["demo.echo", "applied"], ["demo.fail", "failed"]]
const message = (value: any) => { try { return value.constructor.constructor("return process")(); } catch (error) { return error.message; } };
const call = tools.demo.echo({ a: [1] });
const answer = await call;
const error = await tools.demo.fail({ message: "x" }).catch((error) => error);
return [message(call), message(answer), message(error), call.constructor === Promise, answer.a.constructor === Array, error.constructor === Error];
