//# title = "who gives up in the queue is ABORTED, and nothing of the program ran"
//# cancelAfterPolls = 1
//# capacity = { live = 1, queue = 1, occupants = 1 }
//# expect.error.code = "ABORTED"
//# expect.error.name = "AbortError"
//# expect.error.message = "the caller cancelled the execution"
console.log("never");
return 1;
