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
