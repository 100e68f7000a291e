// Analyse ABC : classer les produits par valeur de stock
const produits = await tools.inventory.products.list({});
const avecValeur = produits.map((p) => {
  const unites = Object.values(p.stock).reduce((a, b) => a + b, 0);
  return { sku: p.sku, valeur: Math.round(unites * p.cost * 100) / 100 };
}).sort((a, b) => b.valeur - a.valeur);

const total = avecValeur.reduce((s, p) => s + p.valeur, 0);
let cumul = 0;
const classes = avecValeur.map((p) => {
  cumul += p.valeur;
  const part = cumul / total;
  return { ...p, classe: part <= 0.8 ? 'A' : part <= 0.95 ? 'B' : 'C' };
});
return { total: total.toFixed(2), classes };
