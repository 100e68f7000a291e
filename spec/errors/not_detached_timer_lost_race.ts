//# title = "a timer that lost a race to a call is fine"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "applied"]]
//# result = '{"waited":1}'
const timeout = new Promise((_, reject) => setTimeout(() => reject(new Error("late")), 10000));
return await Promise.race([tools.demo.wait({ ms: 1 }), timeout]);
