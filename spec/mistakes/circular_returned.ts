//# title = "an object that refers to itself returned"
//# tools = "demo"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = "the result is not JSON: circular reference"
const node: any = { id: 1 };
node.self = node;
return node;
