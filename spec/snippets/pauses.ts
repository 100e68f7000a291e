//# title = "a call that needs approval in a snippet pauses the execution"
//# tools = "spec"
//# [snippets]
//# pays = 'const paid = await tools.spec.pay({ amount: input }); return paid.paid'
//# [[passes]]
//# pending = [["1.0", "spec.pay", "approval"]]
//# inputs = ['{"amount":7}']
//# calls = [["spec.key.suffix", "applied"], ["codemode.run", "started"], ["spec.pay", "pending"]]
//# approve = "all"
//# resumesFrom = "journal"
//# [expect]
//# result = '["0",7]'
//# calls = [["spec.key.suffix", "applied"], ["codemode.run", "applied"], ["spec.pay", "applied"]]
return [await tools.spec.key.suffix(), await codemode.run("pays", 7)];
