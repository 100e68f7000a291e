//# title = "code after the return of the program still counts as the program"
//# tools = "demo"
//# [expect]
//# result = '1'
//# logs = [["log", "finally"]]
//# calls = [["demo.echo", "applied"]]
try {
  return 1;
} finally {
  await tools.demo.echo({});
  console.log("finally");
}
