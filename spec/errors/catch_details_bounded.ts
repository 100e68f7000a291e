//# title = "a detail that does not fit is left out, and the others are there"
//# tools = "spec"
//# [expect]
//# calls = [["spec.refuse", "failed"]]
//# result = '[500,"undefined",10000]'
const error: any = await tools.spec.refuse({ status: 500, body: "x".repeat(30_000), reason: "y".repeat(10_000) }).catch((error) => error);
return [error.status, typeof error.body, error.reason.length];
