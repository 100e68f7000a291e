const util = require('util');
const product = await tools.inventory.products.get({ sku: 'CB-H21' });
const lines = [
  util.format('%s costs %d (%j) %o%%', product.name, product.price, { a: [1] }, 5),
  util.inspect({ a: 1, b: 'x', c: [1, 2, { d: null }] }),
  util.inspect(new Map([['k', new Set([1])]])),
  util.inspect('it\'s'),
  util.inspect({ deep: { er: { est: { hidden: true } } } }),
];
const sleep = util.promisify((ms, cb) => setTimeout(() => cb(null, `slept ${ms}`), ms));
return { lines, slept: await sleep(3), same: util.isDeepStrictEqual({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }), isDate: util.types.isDate(new Date()) };
