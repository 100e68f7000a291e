//# title = "calls in map that are returned without Promise.all"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "issued"], ["demo.echo", "issued"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = "DetachedCallError"
//# message = "the program returned while its call of `demo.echo` was never awaited (and 1 more)"
//# line = 12
//# column = 49
//# hint = "await every tool call before returning, for instance with `await Promise.all([…])`"
return [1, 2].map((n) => ({ n, call: tools.demo.echo({ n }) }));
//# [correction]
//# group = "promises"
//# why = "`map` makes a list of promises. `Promise.all` waits for all of them."
//# program = '''
//# return await Promise.all([1, 2].map(async (n) => ({ n, call: await tools.demo.echo({ n }) })));
//# '''
//# [correction.expect]
//# result = '[{"n":1,"call":{"n":1}},{"n":2,"call":{"n":2}}]'
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"]]
