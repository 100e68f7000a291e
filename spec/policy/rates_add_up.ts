//# title = "all rates count whatever decides, and a call that one refuses is not counted by the others"
//# tools = "demo"
//# policy = [{ tools = "demo.*", allow = true }, { tools = "demo.*", rate = 2 }, { tools = "demo.echo", rate = 1 }]
//# [expect]
//# result = '[1,"the policy allows one call of `demo.echo` and the other tools of rule 3 in one execution",{"waited":0},"CALL_LIMIT"]'
//# calls = [["demo.echo", "applied"], ["demo.echo", "failed"], ["demo.wait", "applied"], ["demo.wait", "failed"]]
return [
  await tools.demo.echo(1),
  await tools.demo.echo(2).catch((error) => error.message),
  await tools.demo.wait({ ms: 0 }),
  await tools.demo.wait({ ms: 0 }).catch((error) => error.code),
];
