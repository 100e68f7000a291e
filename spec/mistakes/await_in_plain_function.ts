//# title = "await in a function that is not async"
//# tools = "demo"
//# [expect.error]
//# code = "SYNTAX"
//# name = "SyntaxError"
//# message = "`await` is only allowed within async functions and at the top levels of modules"
//# line = 11
//# column = 13
//# hint = "mark the function that holds it `async`"
function load() {
  const a = await tools.demo.echo({ a: 1 });
  return a;
}
return load();
