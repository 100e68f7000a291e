//# title = "a new target that is a chain of proxies and bound functions ends in a way that can be caught"
//# [expect]
//# result = 'true'
let chain: any = function () {};
chain.prototype = null;
for (let i = 0; i < 100_000; i++) { chain = i % 2 ? new Proxy(chain, {}) : chain.bind(null); if (i % 2 === 0) { delete chain.name; chain.prototype = null; } }
let outcome;
try { outcome = Reflect.construct(Array, [], chain) instanceof Array; } catch (error) { outcome = (error as Error).name; }
return outcome === true || outcome === "RangeError";
