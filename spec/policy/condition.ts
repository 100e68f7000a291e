//# title = "a rule with a condition is about the inputs that fit its schema"
//# tools = "demo"
//# policy = [{ tools = "mail.*", when = { properties = { to = { pattern = "@example\\.com$" } }, required = ["to"] }, allow = true }, { tools = "mail.*", deny = "only to ourselves" }]
//# [expect]
//# result = '[true,"FORBIDDEN"]'
//# calls = [["mail.send", "applied"], ["mail.send", "failed"]]
const send = (to: string) => tools.mail.send({ to, subject: "hello" });
return [(await send("a@example.com")).sent, await send("a@example.org").catch((error) => error.code)];
