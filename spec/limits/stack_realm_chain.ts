//# title = "a new target that is a chain of proxies ends in a way that can be caught"
//# [expect]
//# result = 'true'
let chain: any = function () {};
chain.prototype = null;
for (let i = 0; i < 100_000; i++) chain = i % 2 ? new Proxy(chain, {}) : chain.bind(null);
let outcome;
try { outcome = Reflect.construct(Array, [], chain) instanceof Array; } catch (error) { outcome = (error as Error).name; }
return outcome === true || outcome === "RangeError";
