//# title = "a property that a closed result does not have is a warning where it may not be read"
//# tools = "spec"
//# [expect]
//# result = '"small"'
//# calls = [["spec.closed", "applied"]]
//# warnings = ['line 9, column 25: the result of `spec.closed` has no property `totl`; did you mean `total`? (its properties are `total`, `items`)']
const closed = await tools.spec.closed();
const isLarge = Math.max(1, 2) > 9;
return isLarge ? closed.totl : 'small';
