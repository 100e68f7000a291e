//# title = "a new target that is a chain of proxies and bound functions takes no stack"
//# [expect]
//# result = 'true'
let chain: any = function () {};
chain.prototype = null;
for (let i = 0; i < 100_000; i++) { chain = i % 2 ? new Proxy(chain, {}) : chain.bind(null); if (i % 2 === 0) { delete chain.name; chain.prototype = null; } }
return Reflect.construct(Array, [], chain) instanceof Array;
