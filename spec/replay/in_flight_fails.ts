//# title = "a call above the limit of calls in flight fails after a pause as before it, where that is wanted"
//# tools = "spec"
//# limits = { inFlight = 1, inFlightExcess = "fail" }
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '[1,"IN_FLIGHT_LIMIT",1,"IN_FLIGHT_LIMIT"]'
//# calls = [["spec.pay", "applied"], ["demo.echo", "applied"]]
const before = await Promise.allSettled([1, 2].map((amount) => tools.spec.pay({ amount })));
const after = await Promise.allSettled([1, 2].map((n) => tools.demo.echo(n)));
return [...before, ...after].map((one) => one.reason?.code ?? one.value.paid ?? one.value);
