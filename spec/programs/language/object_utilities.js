const deepMerge = (a, b) => {
  if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
  if (a && b && typeof a === 'object' && typeof b === 'object') {
    const out = { ...a };
    for (const [k, v] of Object.entries(b)) out[k] = k in a ? deepMerge(a[k], v) : v;
    return out;
  }
  return b;
};
const flatten = (o, prefix = '') => Object.entries(o).reduce((acc, [k, v]) => Object.assign(acc, v && typeof v === 'object' && !Array.isArray(v) ? flatten(v, `${prefix}${k}.`) : { [prefix + k]: v }), {});
const deepEqual = (a, b) => Object.is(a, b) || (typeof a === 'object' && typeof b === 'object' && a && b && Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((k) => deepEqual(a[k], b[k])));
const deepFreeze = (o) => { Object.values(o).forEach((v) => typeof v === 'object' && v !== null && deepFreeze(v)); return Object.freeze(o); };
const product = await tools.inventory.products.get({ sku: 'KB-100' });
const merged = deepMerge(product, { stock: { BER: 1, LON: 9 }, tags: ['x'] });
const frozen = deepFreeze(structuredClone(product));
let error = null;
try { frozen.stock.BER = 0; } catch (e) { error = e.name; }
return { flat: flatten(merged), equal: [deepEqual(product, structuredClone(product)), deepEqual({ a: [1] }, { a: [2] })], error, inverted: Object.fromEntries(Object.entries({ a: 1, b: 2 }).map((e) => e.reverse())), own: Object.hasOwn(product, 'sku'), nul: Object.keys(Object.create(null)) };
