//# title = "a call that is awaited later is not an error"
//# tools = "demo"
//# [expect]
//# result = '[1,true]'
//# calls = [["mail.send", "applied"], ["demo.echo", "applied"]]
const sent = tools.mail.send({ to: 'ada', subject: 'x' });
const one = await tools.demo.echo(1);
return [one, (await sent).sent];
