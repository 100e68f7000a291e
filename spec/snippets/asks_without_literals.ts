//# title = "who approves a snippet sees its code without literals if the policy redacts anything, and the whole code runs"
//# config = { snippets = { provisional = 1000000, trusted = 2000000 } }
//# tools = "demo"
//# policy = [{ tools = "codemode.run", require = "approval" }, { tools = "demo.*", redact = ["/pin"] }]
//# [snippets]
//# adds_a_pin = 'return input + 4711'
//# [[passes]]
//# pending = [["0", "codemode.run", "approval"]]
//# inputs = ['{"name":"adds_a_pin","version":1,"trust":"untrusted","code":"return input + ****","input":1}']
//# approve = "all"
//# [expect]
//# result = "4712"
//# calls = [["codemode.run", "applied"]]
return codemode.run("adds_a_pin", 1);
