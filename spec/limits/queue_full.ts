//# title = "with every place in the queue taken, one more is BUSY at once"
//# capacity = { live = 1, queue = 2, occupants = 3 }
//# expect.error.code = "BUSY"
//# expect.error.name = "BusyError"
//# expect.error.message = "no capacity is left, and 2 executions are already queued"
return 1;
