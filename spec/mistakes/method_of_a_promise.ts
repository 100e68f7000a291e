//# title = "a list method on a call that was not awaited"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = "CheckError"
//# message = "the promise of the call of `demo.echo` is used as if it were its result"
//# line = 11
//# column = 13
const page: any = tools.demo.echo({ items: [1] });
return page.items.map((n) => n);
//# [correction]
//# group = "promises"
//# why = "A call returns a promise, and a promise has none of the properties of the answer. Await the call."
//# program = '''
//# const page: any = await tools.demo.echo({ items: [1] });
//# return page.items.map((n) => n);
//# '''
//# [correction.expect]
//# result = '[1]'
//# calls = [["demo.echo", "applied"]]
