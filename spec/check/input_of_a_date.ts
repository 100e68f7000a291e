//# title = "a value that becomes another one in JSON is not known"
//# tools = "demo"
//# [expect]
//# result = '"ada"'
//# calls = [["mail.send", "applied"]]
return await tools.mail.send({ to: 'ada', subject: new Date(0) }).then((sent) => sent.to);
