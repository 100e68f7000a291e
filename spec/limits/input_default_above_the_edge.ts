//# title = "an input of one byte more than 1 MiB is refused"
//# tools = "demo"
//# [expect]
//# result = '"the input of tool `demo.echo` is 1048577 bytes, and the limit is 1 MiB"'
return await tools.demo.echo({ text: "x".repeat(1048576 - 10) }).catch((error) => error.message);
