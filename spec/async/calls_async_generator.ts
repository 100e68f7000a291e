//# title = "an async generator may page through calls"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"]]
//# result = '[1,2,3]'
async function* pages() {
  for (let page = 1; page <= 3; page++) yield (await tools.demo.echo({ page })).page;
}
const seen = [];
for await (const page of pages()) seen.push(page);
return seen;
