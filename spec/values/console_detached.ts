//# title = "methods of console work without console"
//# [expect]
//# logs = [["log", "1"], ["log", "2"], ["info", "then"]]
//# result = 'null'
const { log } = console;
[1, 2].forEach((n) => log(n));
await Promise.resolve("then").then(console.info);
return null;
