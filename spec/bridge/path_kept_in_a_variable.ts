//# title = "a part of a path can be kept and used later, and is the same path"
//# tools = "demo"
//# [expect]
//# result = '[1,2,3]'
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"]]
const { demo } = tools;
const { echo } = demo;
const name = "echo";
return [await echo(1), await demo[name](2), await tools["demo"]["echo"](3)];
