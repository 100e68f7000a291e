//# title = "where nothing is kept, a tool that needs something from outside fails"
//# tools = "spec"
//# differsKept = "it waits for somebody instead"
//# [expect]
//# result = '["TOOL","tool `spec.login` needs something from outside, and nobody can be asked for it"]'
//# calls = [["spec.login", "failed"]]
return await tools.spec.login({}).catch((error) => [error.code, error.message]);
