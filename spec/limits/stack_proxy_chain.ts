//# title = "a chain of a hundred thousand proxies is a stack overflow that can be caught"
//# [expect]
//# result = '"RangeError"'
let chain: any = {};
for (let i = 0; i < 100_000; i++) chain = new Proxy(chain, {});
try { chain.a; return "none"; } catch (error) { return (error as Error).name; }
