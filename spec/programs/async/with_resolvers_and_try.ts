const { promise, resolve } = Promise.withResolvers<string>();
setTimeout(resolve, 5, "later");
const tried = await Promise.try(() => { throw new TypeError("sync"); }).catch((e) => `${e.name}: ${e.message}`);
const product = await Promise.try(() => tools.inventory.products.get({ sku: "MS-200" }));
return { later: await promise, tried, product: product.name };
