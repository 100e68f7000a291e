//# title = "search and describe tell which tools need approval"
//# tools = "demo"
//# policy = [{ tools = "mail.*", require = "approval" }]
//# [expect]
//# result = '[["mail.send",true],true]'
//# calls = [["codemode.search", "applied"], ["codemode.describe", "applied"]]
const { results: [first] } = await codemode.search("send a mail");
const { types } = await codemode.describe("mail.send");
return [[first.path, first.requiresApproval], types.includes("Needs approval by a person.")];
