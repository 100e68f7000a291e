//# title = "a value that refers to itself is SERIALIZATION"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = 'the result is not JSON: circular reference'
const a: any = { b: [] };
a.b.push(a);
return a;
