//# title = "search takes a text and options, or one object; anything else is INVALID_INPUT"
//# tools = "demo"
//# [expect]
//# result = '[true,2,"INVALID_INPUT","INVALID_INPUT","search takes a text and options: codemode.search(\"send mail\", { limit: 5 })"]'
//# calls = [["codemode.search", "applied"], ["codemode.search", "applied"], ["codemode.search", "failed"], ["codemode.search", "failed"]]
const all = await codemode.search("");
const some = await codemode.search({ query: "", limit: 2 });
const wrong = await codemode.search(5 as any).catch((error) => error);
const limit = await codemode.search("mail", { limit: "many" } as any).catch((error) => error.code);
return [all.total >= 8, some.results.length, wrong.code, limit, wrong.message];
