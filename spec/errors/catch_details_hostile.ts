//# title = "details cannot pollute the prototype of errors, and come with every character"
//# tools = "spec"
//# [expect]
//# calls = [["spec.refuse", "failed"]]
//# result = '["null","ä\u0000\u2028😀","undefined",true]'
const input = JSON.parse('{"__proto__":{"polluted":1},"body":"ä\\u0000\\u2028😀","toString":null}');
const error: any = await tools.spec.refuse(input).catch((error) => error);
return [String(Object.getOwnPropertyDescriptor(error, "toString")?.value), error.body, String(error.polluted),
  Object.getPrototypeOf(error) === Error.prototype];
