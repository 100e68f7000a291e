//# title = "a loop over tools sees nothing"
//# tools = "demo"
//# [expect]
//# result = '[[],{}]'
const seen = [];
for (const name in tools) seen.push(name);
for (const name in tools.demo) seen.push(name);
return [seen, { ...tools }];
