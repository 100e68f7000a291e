function observable(target, onChange, path = []) {
  return new Proxy(target, {
    get(t, k, r) {
      const v = Reflect.get(t, k, r);
      return v && typeof v === 'object' ? observable(v, onChange, [...path, k]) : v;
    },
    set(t, k, v, r) {
      onChange([...path, k].join('.'), t[k], v);
      return Reflect.set(t, k, v, r);
    },
    deleteProperty(t, k) {
      onChange([...path, k].join('.'), t[k], undefined);
      return Reflect.deleteProperty(t, k);
    },
  });
}
const changes = [];
const product = observable(await tools.inventory.products.get({ sku: 'MN-270' }), (...c) => changes.push(c));
product.price = 349;
product.stock.BER -= 1;
product.stock['TYO'] = 4;
delete product.weightKg;
return { changes, keys: Reflect.ownKeys(product), product };
