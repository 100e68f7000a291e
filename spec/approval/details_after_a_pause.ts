//# title = "the details of an error that was caught before a pause are there after it"
//# tools = "spec"
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '[404,{"id":7},{"paid":1}]'
//# calls = [["spec.refuse", "failed"], ["spec.pay", "applied"]]
const error: any = await tools.spec.refuse({ status: 404, body: { id: 7 } }).catch((error) => error);
const paid = await tools.spec.pay({ amount: 1 });
return [error.status, error.body, paid];
