//# title = "a last if that only logs and calls tools gives null, without a warning"
//# tools = "demo"
//# [expect]
//# result = 'null'
//# logs = [["log", "one"]]
//# calls = [["demo.echo", "applied"]]
const rows: number[] = [1];
await tools.demo.echo({ n: 1 });
if (rows.length === 1) {
  console.log("one");
} else {
  await tools.demo.echo({ n: 2 });
}
