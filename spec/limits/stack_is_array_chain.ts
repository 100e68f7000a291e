//# title = "Array.isArray of a chain of proxies ends in a way that can be caught"
//# [expect]
//# result = 'true'
let chain: any = [];
for (let i = 0; i < 100_000; i++) chain = new Proxy(chain, {});
let outcome;
try { outcome = Array.isArray(chain); } catch (error) { outcome = (error as Error).name; }
return outcome === true || outcome === "RangeError";
