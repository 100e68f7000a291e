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
