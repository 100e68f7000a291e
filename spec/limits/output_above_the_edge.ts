//# title = "an output of one byte more than the limit fails the call"
//# tools = "demo"
//# limits = { output = 12 }
//# [expect]
//# calls = [["demo.text", "failed"]]
//# [expect.error]
//# code = "OUTPUT_TOO_LARGE"
//# name = 'OutputTooLargeError'
//# message = 'the output of tool `demo.text` is 13 bytes, and the limit is 12 bytes'
//# line = 13
//# column = 25
//# details = { limit = 12, size = 13, tool = "demo.text", seq = "0" }
return await tools.demo.text({ letters: 11 });
