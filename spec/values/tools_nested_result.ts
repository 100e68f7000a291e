//# title = "tools inside of a result vanishes as a function does"
//# tools = "demo"
//# [expect]
//# result = '{"list":[null]}'
return { tools, list: [tools.demo.echo] };
