//# title = "a function behind other statements is a value, not the program"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = 'the result is not JSON: it is a function'
const n = 2;
async () => n
