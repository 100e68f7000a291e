//# title = "a BigInt as the result is SERIALIZATION"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = 'the result is not JSON: a BigInt cannot be written as JSON'
return 2n ** 64n;
