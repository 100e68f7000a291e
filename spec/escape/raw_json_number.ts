//# title = "a number of JSON.rawJSON that no other number can be is SERIALIZATION, or a number, but not a defect"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "SERIALIZATION"
//# name = 'SerializationError'
//# message = 'the result is not JSON that can be returned: it holds a number or a text that cannot be read'
return JSON.rawJSON("1e999");
