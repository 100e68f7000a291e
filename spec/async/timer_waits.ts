//# title = "a timer waits as long as it says, by the clock of the program"
//# [expect]
//# result = 'true'
const before = Date.now();
await new Promise((resolve) => setTimeout(resolve, 50));
return Date.now() - before >= 49;
