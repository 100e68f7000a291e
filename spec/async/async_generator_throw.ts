//# title = "an error in an async generator reaches the loop"
//# [expect]
//# result = '[1,"inside"]'
async function* g() { yield 1; throw new Error("inside"); }
const seen: unknown[] = [];
try {
  for await (const n of g()) seen.push(n);
} catch (error) {
  seen.push(error.message);
}
return seen;
