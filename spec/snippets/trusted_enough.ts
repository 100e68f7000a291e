//# title = "a policy that asks below a level of trust does not ask about a snippet that has reached it"
//# config = { snippets = { provisional = 0, trusted = 2000000 } }
//# [[policy]]
//# tools = "codemode.run"
//# require = "approval"
//# when = { required = ["trust"], properties = { trust = { enum = ["untrusted"] } } }
//# [snippets]
//# fresh = 'return input + 1'
//# [expect]
//# result = "2"
//# calls = [["codemode.run", "applied"]]
return codemode.run("fresh", 1);
