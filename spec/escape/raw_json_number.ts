//# title = "a number of JSON.rawJSON that is out of range is SERIALIZATION"
//# [expect]
//# [expect.error]
//# code = "SERIALIZATION"
//# name = 'SerializationError'
//# message = 'the result is not JSON that can be returned: it holds a number or a text that cannot be read'
return JSON.rawJSON("1e999");
