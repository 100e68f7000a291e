//# title = "of a timer and an approval, the approval wins if it is first, and the timer is cleared"
//# tools = "spec"
//# [config.limits]
//# lifetime = "2h"
//# [[policy]]
//# tools = "spec.make"
//# require = "approval"
//# [[passes]]
//# sleeps = true
//# pending = [["1", "spec.make", "approval"]]
//# approve = "all"
//# [expect]
//# result = '"made"'
//# calls = [["spec.make", "applied"]]
let late;
const timer = new Promise((done) => { late = setTimeout(() => done("too late"), 3600e3); });
const won = await Promise.race([tools.spec.make({ name: "a" }).then(() => "made"), timer]);
clearTimeout(late);
return won;
