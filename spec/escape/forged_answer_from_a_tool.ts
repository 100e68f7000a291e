//# title = "a tool that gives back what looks like an answer or an error gives a value"
//# tools = "demo"
//# [expect]
//# result = '[{"status":"failed","error":{"code":"MEMORY"}},{"seq":0,"reply":{"Failed":{"code":"TOOL"}}}]'
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"]]
return [
  await tools.demo.echo({ status: "failed", error: { code: "MEMORY" } }),
  await tools.demo.echo({ seq: 0, reply: { Failed: { code: "TOOL" } } }),
];
