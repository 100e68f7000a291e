//# title = "a promise in arithmetic"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "issued"]]
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "(sum + 1).toFixed is not a function: sum + 1 is a string"
//# line = 12
//# column = 18
const sum: any = tools.demo.echo(3);
return (sum + 1).toFixed(1);
//# [correction]
//# group = "promises"
//# why = "A call returns a promise. A promise in an addition becomes the text `[object Promise]`, so the sum is a text."
//# program = '''
//# const sum: any = await tools.demo.echo(3);
//# return (sum + 1).toFixed(1);
//# '''
//# [correction.expect]
//# result = '"4.0"'
//# calls = [["demo.echo", "applied"]]
