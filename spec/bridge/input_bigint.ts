//# title = "a BigInt in an input is SERIALIZATION, and is no call"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "SERIALIZATION"
//# name = 'SerializationError'
//# message = 'the input of tools.demo.echo is not JSON: `big` is a BigInt; convert it with String(…) or Number(…)'
//# line = 10
//# column = 18
await tools.demo.echo({ big: 1n });
