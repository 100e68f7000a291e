//# title = "a call without an input waits like any other"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# inputs = ['{}']
//# approve = "all"
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '[{"paid":null},{"paid":null}]'
//# calls = [["spec.pay", "applied"], ["spec.pay", "applied"]]
return [await tools.spec.pay(), await tools.spec.pay(null)];
