//# title = "codemode.search ranks the tools that fit a query, and tools.search is the same"
//# tools = "demo"
//# [expect]
//# result = '[["mail.send"],{"path":"mail.send","description":"Sends a mail. (It does not really.)","kind":"tool","requiresApproval":false,"signature":"tools.mail.send(input: { to: string; subject: string; body?: string }): Promise<unknown>"},1,false,true]'
//# calls = [["codemode.search", "applied"], ["search", "applied"]]
const found = await codemode.search("send somebody a mail", { limit: 1 });
const same = await tools.search("send somebody a mail", { limit: 1 });
const { score, ...first } = found.results[0];
return [found.results.map((one) => one.path), first, found.results.length, found.truncated && found.total === 1, JSON.stringify(found) === JSON.stringify(same)];
