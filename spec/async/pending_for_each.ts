//# title = "calls in an async forEach are waited for"
//# tools = "demo"
//# crashChanges = "a call that was left behind is not made again"
//# [expect]
//# result = '"done"'
//# calls = [["demo.wait", "applied"], ["demo.wait", "applied"]]
[1, 2].forEach(async (n) => {
  await tools.demo.wait({ ms: n });
});
return "done";
