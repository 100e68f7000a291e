//# title = "a result that is nested too deeply for the stack is SERIALIZATION"
//# limits = { stack = "64KiB" }
//# [expect]
//# [expect.error]
//# code = "SERIALIZATION"
//# name = 'SerializationError'
//# message = 'the result is not JSON: it is nested too deeply'
let deep: unknown = 1;
for (let i = 0; i < 20_000; i++) deep = [deep];
return deep;
