//# title = "rejecting an execution ends it: no program catches that, and pending calls are never made"
//# tools = "spec"
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# end = "reject"
//# reason = "not like this"
//# [expect]
//# calls = [["demo.echo", "applied"], ["spec.pay", "issued"]]
//# [expect.error]
//# code = "REJECTED"
//# name = "RejectedError"
//# message = 'ada rejected the execution: not like this'
try {
  await tools.demo.echo(1);
  await tools.spec.pay({ amount: 1 });
} catch {
  return "caught";
} finally {
  console.log("never");
}
