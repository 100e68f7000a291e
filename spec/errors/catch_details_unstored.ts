//# title = "of a tool whose results are not stored, an error keeps numbers alone"
//# tools = "spec"
//# [expect]
//# calls = [["spec.refuseUnstored", "failed"]]
//# result = '[403,"undefined"]'
const error: any = await tools.spec.refuseUnstored({ status: 403, body: "hunter2" }).catch((error) => error);
return [error.status, typeof error.body];
