//# title = "a property set on a missing object"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "cannot set \"amount\" of undefined: totals.north is undefined"
//# line = 10
//# column = 14
const totals: any = {};
totals.north.amount = 5;
return totals;
