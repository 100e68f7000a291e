//# title = "a result that is nested 101 levels deep is SERIALIZATION"
//# [expect]
//# [expect.error]
//# code = "SERIALIZATION"
//# name = 'SerializationError'
//# message = 'the result is not JSON that can be returned: it is nested deeper than 100 levels'
let deep: unknown = 1;
for (let i = 0; i < 101; i++) deep = [deep];
return deep;
