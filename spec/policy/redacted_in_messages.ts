//# title = "what is redacted is not quoted where it does not fit"
//# tools = "demo"
//# policy = [{ tools = "mail.*", redact = ["/to"] }]
//# [expect]
//# result = '["INVALID_INPUT",false]'
//# calls = [["mail.send", "failed"]]
const error = await tools.mail.send({ to: 12345, subject: "b" }).catch((error) => error);
return [error.code, error.message.includes("12345")];
