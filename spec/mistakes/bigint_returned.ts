//# title = "a BigInt returned"
//# tools = "demo"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = "the result is not JSON: `total` is a BigInt; convert it with String(…) or Number(…)"
return { total: 10n };
//# [correction]
//# group = "results"
//# why = "A result is JSON, and JSON has no BigInt. Return a text if the digits matter, otherwise a number."
//# program = '''
//# return { total: String(10n) };
//# '''
//# [correction.expect]
//# result = '{"total":"10"}'
