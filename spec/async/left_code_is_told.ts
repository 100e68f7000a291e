//# title = "code that nothing waits for does not go on after the return, and the outcome says where it waited"
//# tools = "demo"
//# crashChanges = "a call that was left behind is not made again"
//# [expect]
//# result = '"done"'
//# calls = [["demo.wait", "applied"], ["demo.wait", "applied"]]
//# warnings = ['the program returned while code was waiting for its call in line 10, column 39, and nothing was waiting for that code: the rest of it did not run. Await every promise: `forEach` awaits none, `await Promise.all(list.map(async …))` does']
const waitFor = async (ms: number) => {
  // Another function is between the call and the code that nothing waits for.
  const { waited } = await tools.demo.wait({ ms });
  return waited;
};
[1, 2].forEach(async (ms) => {
  const waited = await waitFor(ms);
  await tools.demo.echo(waited);
});
return "done";
