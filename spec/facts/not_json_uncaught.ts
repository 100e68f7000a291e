//# title = "a fact that is no JSON ends a program that does not catch it"
//# tools = "demo"
//# [expect]
//# facts = '{"a":1}'
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = "the value of a fact is not JSON: `total` is a BigInt; convert it with String(…) or Number(…)"
//# line = 12
//# column = 10
codemode.fact("a", 1);
codemode.fact("b", { total: 1n });
