//# title = "tools as the result is SERIALIZATION"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "SERIALIZATION"
//# name = 'SerializationError'
//# message = 'the result is not JSON: it is a function'
return tools;
