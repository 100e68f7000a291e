//# title = "a result that is nested a hundred thousand levels deep is SERIALIZATION"
//# [limits]
//# stack = "128KiB"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = 'the result is not JSON: it is nested too deeply'
let value: any = 1;
for (let i = 0; i < 100000; i++) value = [value];
return value;
