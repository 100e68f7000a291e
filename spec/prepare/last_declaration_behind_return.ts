//# title = "a last declaration behind a return of the program is not its result"
//# [expect]
//# result = 'null'
//# logs = [["log", "done"]]
console.log("done");
if (Math.sqrt(4) < 1) return 1;
const result = await Promise.resolve(2);
