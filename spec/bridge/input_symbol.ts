//# title = "a symbol as an input is SERIALIZATION"
//# tools = "demo"
//# [expect]
//# result = '"the input of tools.demo.echo is not JSON: it is a symbol"'
return await tools.demo.echo(Symbol("s")).catch((error) => error.message);
