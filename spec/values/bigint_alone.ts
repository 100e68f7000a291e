//# title = "a BigInt as the result is SERIALIZATION"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = 'the result is not JSON: the value is a BigInt; convert it with String(…) or Number(…)'
return 2n ** 64n;
