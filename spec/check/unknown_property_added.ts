//# title = "a result that the program changes may have every property"
//# tools = "spec"
//# [expect]
//# result = '7'
//# calls = [["spec.closed", "applied"]]
const closed: any = await tools.spec.closed();
closed.sum = 7;
return closed.sum;
