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
//# [correction]
//# group = "kinds"
//# why = "Many tools return an object that contains the list. The message names its properties."
//# program = '''
//# const page: any = await tools.demo.echo({ items: [1, 2], total: 2 });
//# return page.items.filter((n) => n > 1);
//# '''
//# [correction.expect]
//# result = '[2]'
//# calls = [["demo.echo", "applied"]]
