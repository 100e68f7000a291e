//# title = "an input of one byte more than the limit is refused, and is no call"
//# tools = "demo"
//# limits = { input = 12 }
//# [expect]
//# [expect.error]
//# code = "INPUT_TOO_LARGE"
//# name = 'InputTooLargeError'
//# message = 'the input of tool `demo.echo` is 13 bytes, and the limit is 12 bytes'
//# line = 12
//# column = 25
//# details = { limit = 12 }
return await tools.demo.echo({ a: "xxxxx" });
