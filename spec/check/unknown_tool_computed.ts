//# title = "nothing is said about a path that is computed"
//# tools = "demo"
//# [expect]
//# result = '1'
//# calls = [["demo.echo", "applied"]]
const name = ['echo'][0];
return await tools.demo[name](1);
