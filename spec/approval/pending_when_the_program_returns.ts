//# title = "a call that needs approval and comes to its turn after the program has returned is not made"
//# tools = "spec"
//# limits = { inFlight = 1 }
//# [expect]
//# result = '"caught"'
//# calls = [["demo.fail", "failed"], ["spec.pay", "issued"]]
//# warnings = ['the program returned while its call of `spec.pay` was still pending: the call was not completed']
try {
  await Promise.all([tools.demo.fail({ message: "x" }), tools.spec.pay({ amount: 1 })]);
} catch {}
return "caught";
