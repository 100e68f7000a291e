//# title = "a program that returns after a denial while another call still waits completes, and that one is not made"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"], ["1", "spec.pay", "approval"]]
//# deny = ["0"]
//# [expect]
//# result = '"APPROVAL_DENIED"'
//# calls = [["spec.pay", "denied"], ["spec.pay", "issued"]]
//# warnings = ['the program returned while its call of `spec.pay` was still pending: the call was not completed']
return await Promise.all([tools.spec.pay({ amount: 1 }), tools.spec.pay({ amount: 2 })]).catch((error) => error.code);
