//# title = "a Proxy as the result is read as JSON.stringify does"
//# [expect]
//# result = '{"a":"a"}'
return new Proxy({ a: 1 }, { get: (_, key) => (key === "toJSON" || key === "then" ? undefined : key) });
