//# title = "nothing below tools has a then"
//# tools = "demo"
//# [expect]
//# result = '[null,null,null]'
return [tools.then, tools.demo.then, tools.demo.echo.then].map((value) => (value === undefined ? null : typeof value));
