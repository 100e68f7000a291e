//# title = "a tool that is itself the callback of map has a hint"
//# tools = "demo"
//# [expect.error]
//# code = "INVALID_INPUT"
//# name = "InvalidInputError"
//# message = 'tools.demo.echo takes one argument, an object; it was given 3'
//# line = 11
//# column = 33
//# hint = 'a callback gets the index and the list, too: write `(input) => tools.demo.echo(input)`'
const inputs = [{ a: 1 }];
return await Promise.all(inputs.map(tools.demo.echo));
