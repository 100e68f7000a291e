//# title = "a property that the program tests may be missing"
//# tools = "spec"
//# [expect]
//# result = '["none",2,3]'
//# calls = [["spec.closed", "applied"]]
const closed: any = await tools.spec.closed();
return [closed.totl ?? 'none', closed.error ? 1 : 2, closed.total];
