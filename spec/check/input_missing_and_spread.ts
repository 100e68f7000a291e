//# title = "an argument with a spread may have every property"
//# tools = "demo"
//# [expect]
//# result = 'true'
//# calls = [["demo.echo", "applied"], ["mail.send", "applied"]]
const rest = await tools.demo.echo({ subject: 'x' });
return (await tools.mail.send({ to: 'ada', ...rest })).sent;
