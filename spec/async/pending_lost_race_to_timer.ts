//# title = "a call that lost a race to a timer is cancelled at the end of the time for it"
//# tools = "demo"
//# limits = { settle = "20ms" }
//# [expect]
//# result = '"late"'
//# calls = [["demo.wait", "cancelled-unknown"]]
//# warnings = ['the program returned while its call of `demo.wait` was still pending: the call was cancelled, and may have taken effect']
const timeout = new Promise((resolve) => setTimeout(() => resolve("late"), 5));
return await Promise.race([tools.demo.wait({ ms: 10000 }), timeout]);
