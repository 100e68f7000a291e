//# title = "calls in forEach that nothing awaits"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "issued"], ["demo.echo", "issued"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = "DetachedCallError"
//# message = "the program returned while its call of `demo.echo` was never awaited (and 1 more)"
//# line = 12
//# column = 36
//# hint = "await every tool call before returning, for instance with `await Promise.all([…])`"
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
