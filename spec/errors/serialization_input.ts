//# title = "an input that is not JSON has the position of the call"
//# tools = "demo"
//# [expect.error]
//# code = "SERIALIZATION"
//# name = "SerializationError"
//# message = 'the input of tools.demo.echo is not JSON: `n` is a BigInt; convert it with String(…) or Number(…)'
//# line = 9
//# column = 18
await tools.demo.echo({ n: 1n });
