//# title = "a property that a closed result does not have is found"
//# tools = "spec"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'the result of `spec.closed` has no property `totl`; did you mean `total`?'
//# line = 12
//# column = 15
//# hint = 'its properties are `total`, `items`'
const closed = await tools.spec.closed();
return closed.totl;
