//# title = "a value that logs while it is logged does not recurse for ever"
//# differsFromNode = "the console of the oracle reads nothing"
//# [expect]
//# result = '1'
//# logs = [["log", "inner"], ["log", "{}"]]
let times = 0;
const value = new Proxy({}, { ownKeys() { if (times++ < 1) console.log("inner"); return []; } });
console.log(value);
return times;
