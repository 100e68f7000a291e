//# title = "of a timer and an approval, the timer wins if it is first, and the call is not made"
//# tools = "spec"
//# [config.limits]
//# lifetime = "1h"
//# [[policy]]
//# tools = "spec.make"
//# require = "approval"
//# [[passes]]
//# sleeps = true
//# pending = [["1", "spec.make", "approval"]]
//# [expect]
//# result = '"too late"'
//# calls = [["spec.make", "issued"]]
//# warnings = ["the program returned while its call of `spec.make` was still pending: the call was not completed"]
const timer = new Promise((done) => setTimeout(() => done("too late"), 2050));
return await Promise.race([tools.spec.make({ name: "a" }), timer]);
