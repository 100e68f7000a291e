//# title = "a program that returns after a denial while another call still waits has left that one behind"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"], ["1", "spec.pay", "approval"]]
//# deny = ["0"]
//# [expect]
//# calls = [["spec.pay", "denied"], ["spec.pay", "issued"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = "DetachedCallError"
//# message = 'the program returned while its call of `spec.pay` was still pending'
//# details = { tool = "spec.pay", seq = "1" }
return await Promise.all([tools.spec.pay({ amount: 1 }), tools.spec.pay({ amount: 2 })]).catch((error) => error.code);
