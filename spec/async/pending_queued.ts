//# title = "a call that waits for its turn when the program returns is still made"
//# tools = "demo"
//# limits = { inFlight = 1 }
//# crashChanges = "a call that was left behind is not made again"
//# [expect]
//# result = '"caught"'
//# calls = [["demo.fail", "failed"], ["demo.echo", "applied"], ["demo.wait", "applied"]]
try {
  await Promise.all([tools.demo.fail({ message: "x" }), tools.demo.echo(1), tools.demo.wait({ ms: 5 })]);
} catch {}
return "caught";
