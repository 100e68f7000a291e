//# title = "the stack of a deep error has a bounded number of frames"
//# [expect]
//# [expect.error]
//# code = "THROWN"
//# name = 'Error'
//# message = 'deep'
//# line = 9
//# column = 53
function deep(n: number): void { if (n === 0) throw new Error("deep"); deep(n - 1); }
deep(500);
