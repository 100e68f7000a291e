//# title = "every call of an iteration over pages needs its approval, and the iteration goes on after a pause"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.paidNumbers.pages", "approval"]]
//# approve = "all"
//# [[passes]]
//# pending = [["1", "spec.paidNumbers.pages", "approval"]]
//# approve = "all"
//# [expect]
//# result = '[[1],[2],[3]]'
//# calls = [["spec.paidNumbers.pages", "applied"], ["spec.paidNumbers.pages", "applied"]]
const pages = [];
for await (const page of tools.spec.paidNumbers.pages({ to: 3 })) pages.push(page);
return pages;
