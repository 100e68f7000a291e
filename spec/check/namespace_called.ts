//# title = "a namespace that is called is found"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'unknown tool: `cities`; did you mean `cities.list`?'
//# line = 10
//# column = 20
return await tools.cities({ country: 'Norway' });
