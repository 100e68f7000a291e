//# title = "a call that is pending when the program returns, and settles in time, is no warning"
//# tools = "demo"
//# crashChanges = "a call that was left behind is not made again"
//# [expect]
//# result = '"caught"'
//# calls = [["demo.fail", "failed"], ["demo.wait", "applied"]]
try {
  await Promise.all([tools.demo.fail({ message: "x" }), tools.demo.wait({ ms: 30 })]);
} catch {}
return "caught";
