//# title = "Array.isArray of a chain of a hundred thousand proxies takes no stack"
//# [expect]
//# result = 'true'
let chain: any = [];
for (let i = 0; i < 100_000; i++) chain = new Proxy(chain, {});
return Array.isArray(chain);
