//# title = "calls in forEach that nothing awaits"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = "CheckError"
//# message = "the call of `demo.echo` is never awaited"
//# line = 11
//# column = 36
//# hint = "await it, or collect several in `await Promise.all([…])`"
[1, 2].forEach((n) => { tools.demo.echo({ n }); });
return "done";
//# [correction]
//# group = "promises"
//# why = "`forEach` does not wait for anything. A `for` loop makes one call after the other, and `Promise.all` makes them at the same time."
//# program = '''
//# for (const n of [1, 2]) await tools.demo.echo({ n });
//# return "done";
//# '''
//# [correction.expect]
//# result = '"done"'
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"]]
