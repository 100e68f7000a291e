//# title = "an iteration over pages ends after maxPages, and with break"
//# tools = "spec"
//# [expect]
//# result = '[[[1],[2],[3]],[[1]]]'
//# calls = [["spec.numbers.pages", "applied"], ["spec.numbers.pages", "applied"], ["spec.numbers.pages", "applied"]]
const pages = [];
for await (const page of tools.spec.numbers.pages({ to: 50, maxPages: 3 })) pages.push(page);
const first = [];
for await (const page of tools.spec.numbers.pages({ to: 50 })) {
  first.push(page);
  break;
}
return [pages, first];
