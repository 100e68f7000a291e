//# title = "a program and its snippets share one log, and it is told once that it is full"
//# limits = { logs = 200 }
//# [snippets]
//# tells = 'for (let line = 1; line <= input; line++) console.log(`line ${line}`); return input'
//# [expect]
//# result = "[3,9,9]"
//# logs = [["log", "before"], ["log", "line 1"], ["log", "line 2"], ["log", "line 3"], ["log", "middle"], ["log", "line 1"], ["log", "line 2"], ["log", "line 3"], ["log", "line 4"], ["warn", "LOG_LIMIT: the log is full (200 bytes); what follows is dropped"]]
//# calls = [["codemode.run", "applied"], ["codemode.run", "applied"], ["codemode.run", "applied"]]
console.log("before");
const results = [await codemode.run("tells", 3)];
console.log("middle");
results.push(await codemode.run("tells", 9));
console.log("after");
results.push(await codemode.run("tells", 9));
return results;
