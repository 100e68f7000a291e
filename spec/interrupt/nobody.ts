//# title = "where nothing is kept, a tool that needs something from outside fails"
//# tools = "spec"
//# differsKept = "it waits for an answer instead"
//# [expect]
//# result = '["TOOL","tool `spec.login` needs an answer from outside, and the run cannot wait for one"]'
//# calls = [["spec.login", "failed"]]
return await tools.spec.login({}).catch((error) => [error.code, error.message]);
