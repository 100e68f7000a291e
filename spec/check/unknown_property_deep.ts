//# title = "a property deep in a closed result is found"
//# tools = "spec"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'the result of `spec.closed` has no property `nme`; did you mean `name`?'
//# line = 12
//# column = 32
const { items } = await tools.spec.closed();
const closed = await tools.spec.closed();
return [items, closed.items[0].nme];
