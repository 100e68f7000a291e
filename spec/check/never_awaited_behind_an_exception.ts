//# title = "a call that is never awaited behind an exception that is caught is a warning"
//# tools = "demo"
//# [expect]
//# result = '"SyntaxError"'
//# warnings = ['line 8, column 14: the call of `mail.send` is never awaited (await it, or collect several in `await Promise.all([…])`)']
try {
  JSON.parse('{');
  tools.mail.send({ to: 'ada', subject: 'x' });
} catch (error) {
  return (error as Error).name;
}
return 1;
