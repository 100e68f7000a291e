//# title = "a path as the result is SERIALIZATION, and makes no call"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "SERIALIZATION"
//# name = 'SerializationError'
//# message = 'the result is not JSON: it is a function'
return tools.demo.echo;
