//# title = "a getter that throws something else is SERIALIZATION"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = 'the result is not JSON: a value could not be read'
return { get a() { throw 5; } };
