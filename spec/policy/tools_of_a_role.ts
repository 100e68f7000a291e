//# title = "for callers without the role the tools do not exist, and no message mentions them"
//# tools = "demo"
//# roles = ["intern"]
//# policy = [{ tools = "mail.*", roles = ["postmaster", "admin"] }]
//# [expect]
//# result = '[["UNKNOWN_TOOL","unknown tool: `mail.send`"],[],"NOT_FOUND"]'
//# calls = [["mail.send", "failed"], ["codemode.search", "applied"], ["codemode.describe", "failed"]]
const called = await tools.mail.send({}).catch((error) => [error.code, error.message]);
const { results } = await codemode.search("send a mail");
return [called, results.map((one) => one.path), await codemode.describe("mail.send").catch((error) => error.code)];
