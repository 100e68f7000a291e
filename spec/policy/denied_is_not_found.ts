//# title = "what is denied whatever its input is neither found nor described"
//# tools = "demo"
//# policy = [{ tools = "mail.*", deny = true }]
//# [expect]
//# result = '[[],"NOT_FOUND"]'
//# calls = [["codemode.search", "applied"], ["codemode.describe", "failed"]]
const { results } = await codemode.search("send a mail");
return [results.map((one) => one.path), await codemode.describe("mail").catch((error) => error.code)];
