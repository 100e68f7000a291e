//# title = "a call that a person denies in a snippet fails there, and with it the snippet"
//# tools = "spec"
//# [snippets]
//# paysDenied = 'return tools.spec.pay({ amount: input })'
//# [[passes]]
//# pending = [["0.0", "spec.pay", "approval"]]
//# deny = "all"
//# reason = "too much"
//# resumesFrom = "journal"
//# [expect]
//# result = '"APPROVAL_DENIED"'
//# calls = [["codemode.run", "denied"], ["spec.pay", "denied"]]
return codemode.run("paysDenied", 7).catch((error) => error.code);
