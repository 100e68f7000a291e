//# title = "a result that is nested 128 levels deep is SERIALIZATION"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = 'the result is not JSON that can be returned: it is nested deeper than 127 levels'
let value: any = 1;
for (let i = 0; i < 128; i++) value = [value];
return value;
