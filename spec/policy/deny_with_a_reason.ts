//# title = "the reason of a rule that denies can be read"
//# tools = "demo"
//# policy = [{ tools = "mail.*", deny = "no mail on Sundays" }]
//# [expect]
//# result = '["FORBIDDEN","the policy forbids this call of `mail.send`: rule 1 (`mail.*`) denies it: no mail on Sundays"]'
//# calls = [["mail.send", "failed"]]
return await tools.mail.send({ to: "a", subject: "b" }).catch((error) => [error.code, error.message]);
