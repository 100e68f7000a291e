//# title = "a snippet that a person denies does not run"
//# [[policy]]
//# tools = "codemode.run"
//# require = "approval"
//# [snippets]
//# fresh = 'return input + 1'
//# [[passes]]
//# pending = [["0", "codemode.run", "approval"]]
//# deny = "all"
//# [expect]
//# result = '"APPROVAL_DENIED"'
//# calls = [["codemode.run", "denied"]]
return codemode.run("fresh", 1).catch((error) => error.code);
