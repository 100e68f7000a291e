//# title = "names that objects usually have are paths"
//# tools = "demo"
//# [expect]
//# result = '["__proto__","constructor","prototype","hasOwnProperty","length","name","catch","arguments"]'
//# calls = [["__proto__", "failed"], ["constructor", "failed"], ["prototype", "failed"], ["hasOwnProperty", "failed"], ["length", "failed"], ["name", "failed"], ["catch", "failed"], ["arguments", "failed"]]
const seen = [];
for (const path of ["__proto__", "constructor", "prototype", "hasOwnProperty", "length", "name", "catch", "arguments"]) {
  const message: string = await tools[path]({}).catch((error) => error.message);
  seen.push(/^unknown tool: `(\w+)`/.exec(message)?.[1]);
}
return seen;
