//# title = "async generators are read one by one, and closed"
//# [expect]
//# result = '[0,1,2,"closed"]'
const seen: unknown[] = [];
async function* count() {
  try {
    for (let i = 0; ; i++) { await null; yield i; }
  } finally {
    seen.push("closed");
  }
}
for await (const n of count()) {
  seen.push(n);
  if (n === 2) break;
}
return seen;
