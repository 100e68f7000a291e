//# title = "a replaced JSON is not the one of the bridge"
//# tools = "demo"
//# [expect]
//# result = '{"a":1}'
//# calls = [["demo.echo", "applied"]]
JSON.stringify = () => '"forged"';
JSON.parse = () => "forged";
(globalThis as any).JSON = { stringify: () => "1", parse: () => 1 };
return await tools.demo.echo({ a: 1 });
