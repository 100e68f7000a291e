//# title = "searching is bounded like any other call"
//# tools = "demo"
//# [limits]
//# calls = 2
//# [expect]
//# result = '["CALL_LIMIT",2]'
//# calls = [["codemode.search", "applied"], ["codemode.describe", "applied"]]
await codemode.search("mail");
await codemode.describe("mail");
return [await codemode.search("mail").catch((error) => error.code), 2];
