//# title = "calls that are made before an await run at the same time: the first does not hold up the second"
//# tools = "demo"
//# limits = { timeout = "10s", settle = "20ms" }
//# [expect]
//# result = '{"waited":1}'
//# calls = [["demo.wait", "cancelled-unknown"], ["demo.wait", "applied"]]
//# warnings = ['the program returned while its call of `demo.wait` was still pending: the call was cancelled, and may have taken effect']
const first = tools.demo.wait({ ms: 60_000 });
const second = tools.demo.wait({ ms: 1 });
return await Promise.race([first, second]);
