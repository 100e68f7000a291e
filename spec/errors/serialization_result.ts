//# title = "a result that is not JSON has no position"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = 'the result is not JSON: `a` is a BigInt; convert it with String(…) or Number(…)'
return { a: 1n };
