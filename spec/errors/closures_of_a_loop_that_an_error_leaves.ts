//# title = "each turn of a loop has variables of its own, also where an error leaves it"
//# [expect]
//# result = '[[0,1],[0,1],[0,1]]'
const thrown = [], awaited = [], inner = [];
for (let i = 0; i < 2; i++) {
  try { const turn = i; thrown.push(() => turn); throw new Error(); } catch {}
  try { const turn = i; awaited.push(() => turn); await Promise.reject(new Error()); } catch {}
  try { for (let j = i; ; j++) { inner.push(() => j); throw new Error(); } } catch {}
}
return [thrown, awaited, inner].map((all) => all.map((one) => one()));
