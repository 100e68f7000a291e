//# title = "the log limit is that of the whole program, not of a step"
//# tools = "demo"
//# limits = { logs = 40 }
//# [expect]
//# result = '1'
//# logs = [["log", "abcd"], ["warn", "LOG_LIMIT: the log is full (40 bytes); what follows is dropped"]]
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"]]
console.log("abcd");
await tools.demo.echo({});
console.log("more than fits");
await tools.demo.echo({});
console.log("a");
return 1;
