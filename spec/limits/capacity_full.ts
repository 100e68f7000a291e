//# title = "with every place taken and no queue, one more is BUSY at once"
//# capacity = { live = 1, queue = 0, occupants = 1 }
//# expect.error.code = "BUSY"
//# expect.error.name = "BusyError"
//# expect.error.message = "no capacity is left, and 0 executions are already queued"
console.log("never");
return 1;
