//# title = "a policy asks for approval of snippets below a level of trust, with their code"
//# config = { snippets = { provisional = 1000000, trusted = 2000000 } }
//# [[policy]]
//# tools = "codemode.run"
//# require = "approval"
//# when = { required = ["trust"], properties = { trust = { enum = ["untrusted", "provisional"] } } }
//# [snippets]
//# fresh = 'return input + 1'
//# [[passes]]
//# pending = [["0", "codemode.run", "approval"]]
//# inputs = ['{"name":"fresh","version":1,"trust":"untrusted","code":"return input + 1","input":1}']
//# approve = "all"
//# [expect]
//# result = "2"
//# calls = [["codemode.run", "applied"]]
return codemode.run("fresh", 1);
