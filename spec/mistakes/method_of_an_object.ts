//# title = "a list method on an object that holds the list"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "page.filter is not a function: page is an object { items, total }, not an array"
//# line = 12
//# column = 13
const page: any = await tools.demo.echo({ items: [1, 2], total: 2 });
return page.filter((n) => n > 1);
