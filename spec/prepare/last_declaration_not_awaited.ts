//# title = "a last statement that declares the promise of a function is waited for"
//# tools = "demo"
//# [expect]
//# result = '{"n":1}'
//# calls = [["demo.echo", "applied"]]
const result = main();

async function main() {
  return await tools.demo.echo({ n: 1 });
}
