//# title = "a call that is never awaited in a callback that is never called is a warning"
//# tools = "demo"
//# [expect]
//# result = '0'
//# calls = [["demo.echo", "applied"]]
//# warnings = ['line 9, column 14: the call of `mail.send` is never awaited (await it, or collect several in `await Promise.all([…])`)']
const names: string[] = await tools.demo.echo([]);
names.forEach((to) => {
  tools.mail.send({ to, subject: 'x' });
});
return names.length;
