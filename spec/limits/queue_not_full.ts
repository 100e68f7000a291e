//# title = "the last place in the queue is a place: it runs when those before it have ended"
//# capacity = { live = 1, queue = 2, occupants = 2, occupant = "await tools.demo.wait({ ms: 20 })" }
//# expect.result = '1'
return 1;
