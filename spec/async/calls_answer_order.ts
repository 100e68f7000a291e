//# title = "answers arrive as they come, not as they were asked for"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"]]
//# result = '[1,80,160]'
const seen: number[] = [];
await Promise.all([160, 80, 1].map(async (ms) => {
  await tools.demo.wait({ ms });
  seen.push(ms);
}));
return seen;
