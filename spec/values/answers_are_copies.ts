//# title = "every answer is a value of its own"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"]]
//# result = '[{"x":[1,2]},{"x":[1]},true,true]'
const a = await tools.demo.echo({ x: [1] });
a.x.push(2);
const b = await tools.demo.echo({ x: [1] });
return [a, b, a instanceof Object, Array.isArray(a.x)];
