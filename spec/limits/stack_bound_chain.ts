//# title = "a chain of a hundred thousand bound functions is a stack overflow that can be caught"
//# differsFromNode = "V8 calls bound functions without recursion"
//# [expect]
//# result = '"RangeError"'
let chain: any = () => 1;
for (let i = 0; i < 100_000; i++) { chain = chain.bind(null); delete chain.name; }
try { return chain(); } catch (error) { return (error as Error).name; }
