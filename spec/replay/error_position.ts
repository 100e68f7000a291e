//# title = "an error after a pause is where the author wrote it"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# calls = [["spec.pay", "applied"]]
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "no 1"
//# line = 15
//# column = 29
const { paid } = await tools.spec.pay({ amount: 1 });
function fail(what) { throw new TypeError(`no ${what}`); }
fail(paid);
