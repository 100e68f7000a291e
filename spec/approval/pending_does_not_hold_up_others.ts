//# title = "a call that needs approval takes no place from others once the program has returned"
//# tools = "spec"
//# limits = { inFlight = 1 }
//# crashChanges = "a call that was left behind is not made again"
//# [expect]
//# result = '"caught"'
//# calls = [["demo.fail", "failed"], ["spec.pay", "issued"], ["demo.echo", "applied"]]
//# warnings = ['the program returned while its call of `spec.pay` was still pending: the call was not completed']
try {
  await Promise.all([tools.demo.fail({ message: "x" }), tools.spec.pay({ amount: 1 }), tools.demo.echo(1)]);
} catch {}
return "caught";
