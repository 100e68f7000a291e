//# title = "an output of one byte more than 4 MiB fails the call"
//# differsKept = "a value that is kept has at most 1 MB"
//# tools = "demo"
//# [expect]
//# result = '"the output of tool `demo.text` is 4194305 bytes, and the limit is 4 MiB"'
//# calls = [["demo.text", "failed"]]
return await tools.demo.text({ letters: 4194304 - 1 }).catch((error) => error.message);
