//# title = "the pages of a list can be iterated over: each call is an ordinary one, made when its pages are needed"
//# tools = "spec"
//# [expect]
//# result = '[[1],[2],[3],[4],[5]]'
//# calls = [["spec.numbers.pages", "applied"], ["spec.numbers.pages", "applied"], ["spec.numbers.pages", "applied"]]
const pages = [];
for await (const page of tools.spec.numbers.pages({ to: 5 })) pages.push(page);
return pages;
