//# title = "a tool of a namespace that does not exist"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = "CheckError"
//# message = "unknown tool: `stocks.price`"
//# line = 11
//# column = 27
//# hint = "search for it: `await codemode.search(\"what it should do\")`"
return await tools.stocks.price({ symbol: "ABC" });
//# [correction]
//# group = "tools"
//# why = "No tool and no namespace has this name. `codemode.search` finds tools by what they do."
//# program = '''
//# const found = await codemode.search("weather of a city");
//# const weather = await tools.weather.current({ city: "Lima" });
//# return [found.results[0].path, weather.celsius];
//# '''
//# [correction.expect]
//# result = '["weather.current",19]'
//# calls = [["codemode.search", "applied"], ["weather.current", "applied"]]
