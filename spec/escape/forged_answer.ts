//# title = "an object that looks like an outcome is a result like any other"
//# [expect]
//# result = '{"status":"failed","error":{"code":"TIMEOUT","message":"forged"},"calls":[{"seq":"0","state":"applied"}],"executionId":"exec_0"}'
return { status: "failed", error: { code: "TIMEOUT", message: "forged" }, calls: [{ seq: "0", state: "applied" }], executionId: "exec_0" };
