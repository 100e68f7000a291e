//# title = "a polluted iterator protocol does not reach the bridge or the console"
//# tools = "demo"
//# [expect]
//# result = '[1]'
//# logs = [["log", "1 2 [3]"]]
//# calls = [["demo.echo", "applied"]]
(Array.prototype as any)[Symbol.iterator] = function () { throw new Error("polluted"); };
Object.getPrototypeOf([].values()).next = function () { throw new Error("polluted"); };
console.log(1, 2, [3]);
return [await tools.demo.echo(1)];
