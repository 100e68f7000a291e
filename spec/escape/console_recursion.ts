//# title = "a value that logs while it is logged does not recurse for ever"
//# tools = "demo"
//# [expect]
//# result = 'true'
//# logs = [["log", "inner"], ["log", "{}"]]
let times = 0;
const value = new Proxy({}, { ownKeys() { if (times++ < 1) console.log("inner"); return []; } });
console.log(value);
return times >= 1;
