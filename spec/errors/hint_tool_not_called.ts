//# title = "a tool that is returned and not called has a hint"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = "the result is not JSON: it is a function"
//# hint = 'call it, and return its value; a tool is called with its input: `await tools.name({ … })`'
const send = () => 1;
return send;
