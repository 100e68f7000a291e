//# title = "a program that keeps the rules runs"
//# tools = "demo"
//# [[config.rules]]
//# deny = "syntax"
//# names = ["while", "class"]
//# [expect]
//# result = '3'
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"]]
const all = await Promise.all([1, 1, 1].map((one) => tools.demo.echo(one)));
return all.reduce((sum, one) => sum + one, 0);
