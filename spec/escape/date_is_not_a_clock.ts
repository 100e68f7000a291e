//# title = "a loop that reads the clock moves it by one millisecond per read and learns nothing"
//# differsFromNode = "Node has a real clock"
//# [expect]
//# result = '[true,1000]'
const start = Date.now();
let end = start;
for (let i = 0; i < 1000; i++) end = Date.now();
return [Number.isInteger(start), end - start];
