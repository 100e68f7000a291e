//# title = "who waits in the queue for as long as the time-out is BUSY"
//# limits.timeout = "50ms"
//# capacity = { live = 1, queue = 1, occupants = 1, occupant = "while (true);" }
//# expect.error.code = "BUSY"
//# expect.error.name = "BusyError"
//# expect.error.message = "no capacity became free within 50ms"
return 1;
