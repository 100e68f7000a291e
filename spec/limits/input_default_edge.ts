//# title = "an input of 1 MiB is passed on"
//# differsKept = "a value that is kept has at most 1 MB"
//# tools = "demo"
//# [expect]
//# result = '1048565'
//# calls = [["demo.echo", "applied"]]
return (await tools.demo.echo({ text: "x".repeat(1048576 - 11) })).text.length;
