//# title = "inputs follow the same rules as results"
//# tools = "demo"
//# differsFromNode = "JSON.stringify loses the Map"
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# result = '{"list":[null,null,null],"d":"1970-01-01T00:00:00.000Z","m":[],"z":0}'
return await tools.demo.echo({ a: undefined, f() {}, list: [undefined, NaN, () => 1], d: new Date(0), m: new Map(), z: -0 });
