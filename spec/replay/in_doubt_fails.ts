//# title = "a call in doubt may be made to fail, and the program catches that"
//# tools = "spec"
//# [[passes]]
//# crash = true
//# [[passes]]
//# pending = [["0", "spec.crash", "in-doubt"]]
//# fail = ["0"]
//# reason = "nobody knows"
//# [expect]
//# result = '["TOOL","it is unknown whether the call of `spec.crash` took effect: nobody knows"]'
//# calls = [["spec.crash", "failed"]]
return await tools.spec.crash(1).catch((error) => [error.code, error.message]);
