//# title = "a getter that throws is SERIALIZATION"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = 'the result is not JSON: unreadable'
return { get a() { throw new TypeError("unreadable"); } };
