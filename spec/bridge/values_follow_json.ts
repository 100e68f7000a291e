//# title = "inputs follow JSON.stringify, and a Map keeps its entries"
//# tools = "demo"
//# differsFromNode = "JSON.stringify loses the Map"
//# [expect]
//# result = '{"date":"1970-01-01T00:00:00.000Z","nan":null,"list":[null,null],"map":[[1,2]],"nested":{"own":1},"negative":0}'
//# calls = [["demo.echo", "applied"]]
return await tools.demo.echo({
  date: new Date(0), nan: NaN, undef: undefined, list: [undefined, () => 1], map: new Map([[1, 2]]), fn() {},
  [Symbol("s")]: 1, nested: { toJSON: () => ({ own: 1 }) }, negative: -0,
});
