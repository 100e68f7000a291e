//# title = "a snippet is as provisional as the configuration says, and a policy can ask about it"
//# config = { snippets = { provisional = 0, trusted = 2000000 } }
//# [[policy]]
//# tools = "codemode.run"
//# require = "approval"
//# when = { required = ["trust"], properties = { trust = { enum = ["provisional"] } } }
//# [snippets]
//# fresh = 'return input + 1'
//# [[passes]]
//# pending = [["0", "codemode.run", "approval"]]
//# inputs = ['{"name":"fresh","version":1,"trust":"provisional","code":"return input + 1","input":1}']
//# approve = "all"
//# [expect]
//# result = "2"
//# calls = [["codemode.run", "applied"]]
return codemode.run("fresh", 1);
