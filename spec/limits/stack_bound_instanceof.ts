//# title = "instanceof with a chain of bound functions is a stack overflow that can be caught"
//# [expect]
//# result = '"RangeError"'
let chain: any = class {};
for (let i = 0; i < 100_000; i++) { chain = chain.bind(null); delete chain.name; }
try { return {} instanceof chain; } catch (error) { return (error as Error).name; }
