//# title = "calls above a rate fail with CALL_LIMIT, which says how many are allowed"
//# tools = "demo"
//# policy = [{ tools = "demo.*", rate = 2 }]
//# [expect]
//# result = '[1,2,["CALL_LIMIT","the policy allows 2 calls of `demo.echo` and the other tools of rule 1 in one execution"],true]'
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "failed"], ["mail.send", "applied"]]
const third = (error) => [error.code, error.message];
const first = [await tools.demo.echo(1), await tools.demo.echo(2), await tools.demo.echo(3).catch(third)];
return [...first, (await tools.mail.send({ to: "a", subject: "b" })).sent];
