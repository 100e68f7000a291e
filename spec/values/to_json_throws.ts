//# title = "toJSON that throws is SERIALIZATION"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = 'the result is not JSON: no way'
return { toJSON() { throw new Error("no way"); } };
