//# title = "a BigInt is SERIALIZATION"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = 'the result is not JSON: a BigInt cannot be written as JSON'
return { n: 1n };
