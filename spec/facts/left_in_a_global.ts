//# title = "a plain object in globalThis.facts has facts too, and comes last"
//# tools = "demo"
//# [expect]
//# result = '1'
//# facts = '{"rows":2,"name":"final"}'
codemode.fact("rows", 1);
globalThis.facts = { rows: 2 };
globalThis.facts.name = "final";
return 1;
