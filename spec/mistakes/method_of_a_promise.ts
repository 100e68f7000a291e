//# title = "a list method on a call that was not awaited"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "issued"]]
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "cannot read \"map\" of undefined: page.items is undefined, because page is a Promise; await it first"
//# line = 12
//# column = 19
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
