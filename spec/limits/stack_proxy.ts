//# title = "recursion through a proxy is a stack overflow that can be caught"
//# [expect]
//# result = '"RangeError"'
const proxy: any = new Proxy({}, { get: (_, name) => proxy[name] });
try { return proxy.a; } catch (error) { return (error as Error).name; }
