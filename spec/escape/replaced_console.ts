//# title = "a replaced console logs nothing to the host"
//# [expect]
//# result = '[["mine"],1]'
//# logs = [["log", "theirs"]]
const mine: unknown[] = [];
console.log("theirs");
console.log = (value: unknown) => { mine.push(value); };
console.log("mine");
return [mine, 1];
