//# title = "instanceof with a chain of bound functions ends, one way or the other, in a way that can be caught"
//# [expect]
//# result = 'true'
let chain: any = class {};
for (let i = 0; i < 100_000; i++) { chain = chain.bind(null); delete chain.name; }
let outcome;
try { outcome = {} instanceof chain; } catch (error) { outcome = (error as Error).name; }
return outcome === false || outcome === "RangeError";
