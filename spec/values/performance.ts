//# title = "performance reads the clock of the program"
//# [expect]
//# result = '[true,true,"number"]'
const start = performance.now();
await new Promise((resolve) => setTimeout(resolve, 5));
const elapsed = performance.now() - start;
return [elapsed >= 4, performance.timeOrigin + performance.now() <= Date.now() + 1000, typeof performance.mark("a").startTime];
