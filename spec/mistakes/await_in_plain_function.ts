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
//# [correction]
//# group = "syntax"
//# why = "`await` works only in an `async` function, or at the top level of the program. Mark the function `async`, and await its result too."
//# program = '''
//# async function load() {
//#   const a = await tools.demo.echo({ a: 1 });
//#   return a;
//# }
//# return await load();
//# '''
//# [correction.expect]
//# result = '{"a":1}'
//# calls = [["demo.echo", "applied"]]
