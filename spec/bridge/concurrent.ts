//# title = "calls made before an await run at once"
//# tools = "spec"
//# limits = { timeout = "10s" }
//# [expect]
//# result = '["all here","all here","all here"]'
//# calls = [["spec.gather", "applied"], ["spec.gather", "applied"], ["spec.gather", "applied"]]
const call = () => tools.spec.gather({ count: 3 });
return await Promise.all([call(), call(), call()]);
