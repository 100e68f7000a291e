//# title = "objects count as levels like arrays"
//# [expect]
//# [expect.error]
//# code = "SERIALIZATION"
//# name = 'SerializationError'
//# message = 'the result is not JSON that can be returned: it is nested deeper than 100 levels'
let deep: unknown = 1;
for (let i = 0; i < 51; i++) deep = { deep: [deep] };
return deep;
