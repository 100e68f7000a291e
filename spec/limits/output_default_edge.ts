//# title = "an output of 4 MiB is delivered"
//# differsKept = "a value that is kept has at most 1 MB"
//# tools = "demo"
//# [expect]
//# result = '4194302'
//# calls = [["demo.text", "applied"]]
return (await tools.demo.text({ letters: 4194304 - 2 })).length;
