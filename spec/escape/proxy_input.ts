//# title = "a Proxy as an input is read as JSON.stringify does"
//# tools = "demo"
//# [expect]
//# result = '[{"a":"a","b":"b"},["get toJSON","ownKeys","get a","get b"]]'
//# calls = [["demo.echo", "applied"]]
const seen: string[] = [];
const input = new Proxy({ a: 0, b: 0 }, {
  get(_, key) { seen.push("get " + String(key)); return key === "toJSON" ? undefined : key; },
  ownKeys(target) { seen.push("ownKeys"); return Reflect.ownKeys(target); },
});
return [await tools.demo.echo(input), seen];
