//# title = "an execution that is cancelled fails and says by whom and why, and what waited was never made"
//# tools = "spec"
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# end = "cancel"
//# reason = "the order was withdrawn"
//# [expect]
//# calls = [["demo.echo", "applied"], ["spec.pay", "issued"]]
//# [expect.error]
//# code = "ABORTED"
//# name = "AbortError"
//# message = 'ada cancelled the execution: the order was withdrawn'
//# details = { by = "ada" }
try {
  await tools.demo.echo(1);
  await tools.spec.pay({ amount: 1 });
} catch {
  return "caught";
} finally {
  console.log("never");
}
