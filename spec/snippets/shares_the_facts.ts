//# title = "a program and its snippets share one book of facts, and it is told once that it is full"
//# limits = { facts = 60 }
//# [snippets]
//# finds = 'codemode.fact(input, "12345678"); return input'
//# [expect]
//# result = '["b","c","d"]'
//# logs = [["warn", "LOG_LIMIT: the facts are full (60 bytes); what follows is dropped"]]
//# facts = '{"a":1,"b":"12345678"}'
//# calls = [["codemode.run", "applied"], ["codemode.run", "applied"], ["codemode.run", "applied"]]
codemode.fact("a", 1);
const results = [];
for (const name of ["b", "c", "d"]) results.push(await codemode.run("finds", name));
codemode.fact("e", 1);
return results;
