//# title = "a function returned"
//# tools = "demo"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = "the result is not JSON: it is a function"
const total = () => 5;
return total;
//# [correction]
//# group = "results"
//# why = "A result is JSON, and a function is not. Call the function, and return its value."
//# program = '''
//# const total = () => 5;
//# return total();
//# '''
//# [correction.expect]
//# result = '5'
