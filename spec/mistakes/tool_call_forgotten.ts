//# title = "a call that nothing awaits"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "issued"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = "DetachedCallError"
//# message = "the program returned while its call of `demo.echo` was never awaited"
//# line = 12
//# column = 12
//# hint = "await every tool call before returning, for instance with `await Promise.all([…])`"
tools.demo.echo({ a: 1 });
return 1;
//# [correction]
//# group = "promises"
//# why = "The program ends with `return`, and a call that nothing awaits may not have happened by then."
//# program = '''
//# await tools.demo.echo({ a: 1 });
//# return 1;
//# '''
//# [correction.expect]
//# result = '1'
//# calls = [["demo.echo", "applied"]]
