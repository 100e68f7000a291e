//# title = "a call that asks for an answer takes no place from others once the program has returned"
//# tools = "spec"
//# limits = { inFlight = 1 }
//# crashChanges = "a call that was left behind is not made again"
//# [expect]
//# result = '"caught"'
//# calls = [["demo.fail", "failed"], ["spec.login", "cancelled-unknown"], ["demo.echo", "applied"]]
//# warnings = ['the program returned while its call of `spec.login` was still pending: the call was cancelled, and may have taken effect']
try {
  await Promise.all([tools.demo.fail({ message: "x" }), tools.spec.login({ for: "a" }), tools.demo.echo(1)]);
} catch {}
return "caught";
