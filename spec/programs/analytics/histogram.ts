const products = await tools.inventory.products.list({});
const prices = products.map((p: { price: number }) => p.price);
const edges = [0, 10, 50, 100, 200, 500, 1000];
const counts = new Uint32Array(edges.length - 1);
for (const price of prices) {
  const bin = edges.findLastIndex((edge) => price >= edge);
  if (bin >= 0 && bin < counts.length) counts[bin]++;
}
const bars = Array.from(counts, (n, i) => `${`${edges[i]}–${edges[i + 1]}`.padStart(9)} ${"#".repeat(n)}`);
return { counts, bars, sum: counts.reduce((a, b) => a + b) };
