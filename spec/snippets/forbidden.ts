//# title = "a policy forbids snippets"
//# [[policy]]
//# tools = "codemode.run"
//# deny = true
//# [snippets]
//# fresh = 'return input + 1'
//# [expect]
//# result = '"FORBIDDEN"'
//# calls = [["codemode.run", "failed"]]
return codemode.run("fresh", 1).catch((error) => error.code);
