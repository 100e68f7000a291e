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
//# [correction]
//# group = "missing"
//# why = "An assignment makes the last property of a path, not the objects on the way. Make the object first."
//# program = '''
//# const totals: any = {};
//# totals.north ??= {};
//# totals.north.amount = 5;
//# return totals;
//# '''
//# [correction.expect]
//# result = '{"north":{"amount":5}}'
