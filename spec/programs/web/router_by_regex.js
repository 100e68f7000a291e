// A small router, path parameters become named groups
const compile = (pattern) => new RegExp('^' + pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/:(\w+)/g, '(?<$1>[^/]+)').replace(/\*/g, '.*') + '$');
const routes = new Map([['/customers/:id', 'customer'], ['/orders/:order/items/:sku', 'item'], ['/static/*', 'static']].map(([p, name]) => [compile(p), name]));
function match(path) {
  for (const [re, name] of routes) {
    const m = re.exec(path);
    if (m) return { name, ...m.groups };
  }
  return null;
}
const found = match('/customers/cus_006');
const customer = await tools.crm.customers.get({ id: found.id });
return [{ ...found, title: customer.name }, match('/orders/5001/items/KB-100'), match('/static/js/app.js'), match('/nope')];
