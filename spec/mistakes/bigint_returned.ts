//# title = "a BigInt returned"
//# tools = "demo"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = "the result is not JSON: `total` is a BigInt; convert it with String(…) or Number(…)"
return { total: 10n };
