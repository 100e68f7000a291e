//# title = "a symbol as the result is SERIALIZATION"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = 'the result is not JSON: it is a symbol'
return Symbol("s");
