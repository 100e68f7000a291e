//# title = "a function returned"
//# tools = "demo"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = "the result is not JSON: it is a function"
const total = () => 5;
return total;
