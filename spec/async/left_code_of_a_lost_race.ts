//# title = "code that lost a race, or has nothing left to do, is not told of"
//# tools = "demo"
//# crashChanges = "a call that was left behind is not made again"
//# [expect]
//# result = '1'
//# calls = [["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "applied"]]
const waitFor = async (ms: number) => {
  const { waited } = await tools.demo.wait({ ms });
  return waited;
};
const ignored = tools.demo.wait({ ms: 30 }).catch(() => null);
[40].forEach(async (ms) => await tools.demo.wait({ ms }));
return await Promise.race([waitFor(1), waitFor(20)]);
