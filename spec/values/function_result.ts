//# title = "a function as the result is SERIALIZATION"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = 'the result is not JSON: it is a function'
const f = () => 1;
return f;
