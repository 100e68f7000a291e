//# title = "a program and its snippets share the limit of logs"
//# limits = { logs = 40 }
//# [snippets]
//# logs = 'console.log(input); console.log("dropped"); return 1'
//# [expect]
//# result = "[1,1]"
//# logs = [["log", "abcd"], ["warn", "LOG_LIMIT: the log is full (40 bytes); what follows is dropped"]]
//# calls = [["codemode.run", "applied"], ["codemode.run", "applied"]]
console.log("abcd");
const first = await codemode.run("logs", "a text that is too long for what is left of it");
console.log("dropped");
return [first, await codemode.run("logs", "x")];
