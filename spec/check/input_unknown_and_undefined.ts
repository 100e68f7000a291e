//# title = "an unknown property whose value is undefined is not sent"
//# tools = "demo"
//# [expect]
//# result = 'true'
//# calls = [["mail.send", "applied"]]
const unset = [][0];
return (await tools.mail.send({ to: 'ada', subject: 'x', boddy: unset })).sent;
