//# title = "facts are in the outcome by name, and of two with one name the later counts"
//# tools = "demo"
//# [expect]
//# result = '[null,true]'
//# facts = '{"rows":3,"total":{"sum":[1,2.5,null]},"nothing":null,"":"empty name"}'
//# calls = [["demo.echo", "applied"]]
codemode.fact("rows", 2);
const told = codemode.fact("total", { sum: [1, 2.5, NaN] });
codemode.fact("rows", await tools.demo.echo(3));
codemode.fact("nothing");
codemode.fact("", "empty name");
return [told ?? null, (await codemode.fact("rows", 3)) === undefined];
