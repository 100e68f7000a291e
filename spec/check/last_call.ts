//# title = "a call that ends the program is its result"
//# tools = "demo"
//# [expect]
//# result = '1'
//# calls = [["demo.echo", "applied"]]
tools.demo.echo(1)
