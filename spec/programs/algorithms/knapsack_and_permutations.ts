const products = (await tools.inventory.products.list({})).filter((p) => !p.discontinued);
const capacity = 80; // in units of 100 g
const weights = products.map((p) => Math.max(1, Math.round(p.weightKg * 10)));
const values = products.map((p) => Math.round(p.price - p.cost));
const best = new Int32Array(capacity + 1);
const take: boolean[][] = products.map(() => []);
for (let i = 0; i < products.length; i++)
  for (let w = capacity; w >= weights[i]; w--)
    if (best[w - weights[i]] + values[i] > best[w]) { best[w] = best[w - weights[i]] + values[i]; take[i][w] = true; }
const chosen: string[] = [];
for (let i = products.length - 1, w = capacity; i >= 0; i--) if (take[i][w]) { chosen.push(products[i].sku); w -= weights[i]; }
function* permutations<T>(xs: T[]): Generator<T[]> { if (xs.length < 2) yield xs; else for (let i = 0; i < xs.length; i++) for (const rest of permutations(xs.toSpliced(i, 1))) yield [xs[i], ...rest]; }
const choose = (n: number, k: number): number => (k === 0 || k === n ? 1 : choose(n - 1, k - 1) + choose(n - 1, k));
return { value: best[capacity], chosen: chosen.sort(), perms: [...permutations(["a", "b", "c"])].map((p) => p.join("")), choose: choose(10, 3), count: permutations([1, 2, 3, 4, 5]).reduce((n) => n + 1, 0) };
