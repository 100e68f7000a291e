//# title = "half a surrogate pair becomes the replacement character on its way"
//# tools = "demo"
//# [expect]
//# result = '["a\ufffdb","\ufffd","😀",["\ufffd"]]'
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"]]
return [
  await tools.demo.echo("a\ud83db"), await tools.demo.echo("\ude00"), await tools.demo.echo("😀"),
  Object.keys(await tools.demo.echo({ "\ud800": 1 })),
];
