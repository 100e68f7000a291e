//# title = "a call that was pending before a crash is still pending after it, beside calls in doubt"
//# tools = "spec"
//# [[passes]]
//# crash = true
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"], ["1", "demo.echo", "in-doubt"], ["2", "spec.crash", "in-doubt"]]
//# approve = ["0"]
//# happened = { 1 = "2", 2 = '{"done":3}' }
//# [expect]
//# result = '[1,2,3]'
//# calls = [["spec.pay", "applied"], ["demo.echo", "applied"], ["spec.crash", "applied"]]
const all = await Promise.all([tools.spec.pay({ amount: 1 }), tools.demo.echo(2), tools.spec.crash(3)]);
return [all[0].paid, all[1], all[2].done];
