// Some programs calculate with `new Function`
const { price, cost } = await tools.inventory.products.get({ sku: 'KB-100' });
const formula = '(price - cost) / price * 100';
const compute = new Function('price', 'cost', `return ${formula};`);
return Number(compute(price, cost).toFixed(2));
