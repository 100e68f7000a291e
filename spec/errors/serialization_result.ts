//# title = "a result that is not JSON has no position"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = 'the result is not JSON: a BigInt cannot be written as JSON'
return { a: 1n };
