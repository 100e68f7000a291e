//# title = "a promise resolved with a path of tools is fulfilled with it and makes no call"
//# tools = "demo"
//# [expect]
//# result = '"function"'
return typeof (await new Promise((resolve) => resolve(tools.demo.echo)));
