//# title = "a call that was refused before it was made is no call that is left"
//# tools = "demo"
//# [expect]
//# result = '1'
const call = tools.demo.echo({ n: 1n });
call.catch(() => {});
return 1;
