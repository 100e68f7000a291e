//# title = "a property deep inside of an answer"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "cannot read \"address\" of undefined: answer.data.customer is undefined"
//# line = 12
//# column = 29
const answer: any = await tools.demo.echo({ data: {} });
return answer.data.customer.address.city;
//# [correction]
//# group = "missing"
//# why = "An answer may lack a property, and reading from `undefined` fails. `?.` stops at the first part that is missing, and `??` gives a value instead."
//# program = '''
//# const answer: any = await tools.demo.echo({ data: {} });
//# return answer.data.customer?.address?.city ?? "unknown";
//# '''
//# [correction.expect]
//# result = '"unknown"'
//# calls = [["demo.echo", "applied"]]
