//# title = "the last place is a place"
//# capacity = { live = 2, queue = 0, occupants = 1 }
//# expect.result = '1'
return 1;
