//# title = "an object that refers to itself returned"
//# tools = "demo"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = "the result is not JSON: circular reference"
const node: any = { id: 1 };
node.self = node;
return node;
//# [correction]
//# group = "results"
//# why = "A result is JSON, and JSON cannot contain an object inside itself. Return the properties that are needed."
//# program = '''
//# const node: any = { id: 1 };
//# node.self = node;
//# return { id: node.id };
//# '''
//# [correction.expect]
//# result = '{"id":1}'
