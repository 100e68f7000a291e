//# title = "a BigInt is SERIALIZATION"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = 'the result is not JSON: `n` is a BigInt; convert it with String(…) or Number(…)'
return { n: 1n };
