//# title = "a long async program with little in use does not run out of memory"
//# limits = { memory = "4MiB", calls = 10 }
//# [expect]
//# result = '50000'
let count = 0;
async function one() {
  const self = { promise: null as unknown };
  self.promise = new Promise<void>((resolve) => { (self as any).resolve = resolve; });
  await null;
  count++;
}
for (let i = 0; i < 50_000; i++) await one();
return count;
