const products = await tools.inventory.products.list();
const ranked = products
  .map(({ sku, name, price, cost }) => ({ sku, name, margin: (price - cost) / price }))
  .sort((a, b) => b.margin - a.margin)
  .map((p, i) => ({ rank: i + 1, ...p, margin: `${(p.margin * 100).toFixed(1)} %` }));
console.log(ranked.map((r) => `${r.rank}. ${r.name} (${r.margin})`).join('\n'));
return ranked.slice(0, 3);
