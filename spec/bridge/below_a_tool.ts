//# title = "there is nothing below a tool"
//# tools = "demo"
//# [expect]
//# result = '"UNKNOWN_TOOL"'
//# calls = [["demo.echo.deeper", "failed"]]
return await tools.demo.echo.deeper({}).catch((error) => error.code);
