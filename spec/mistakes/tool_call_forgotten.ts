//# title = "a call that nothing awaits"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = "CheckError"
//# message = "the call of `demo.echo` is never awaited"
//# line = 11
//# column = 12
//# hint = "await it, or collect several in `await Promise.all([…])`"
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
