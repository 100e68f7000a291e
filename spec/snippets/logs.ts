//# title = "what a snippet logs is in the log of the execution"
//# [snippets]
//# logs = 'console.warn(`in ${input}`); return 1'
//# [expect]
//# result = "1"
//# logs = [["log", "before"], ["warn", "in it"], ["log", "after"]]
//# calls = [["codemode.run", "applied"]]
console.log("before");
const result = await codemode.run("logs", "it");
console.log("after");
return result;
