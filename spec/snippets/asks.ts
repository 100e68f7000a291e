//# title = "a tool that needs an answer in a snippet pauses the execution"
//# tools = "demo"
//# [snippets]
//# asks = 'return tools.people.ask({ question: input })'
//# [[passes]]
//# pending = [["0.0", "people.ask", "interrupt"]]
//# payloads = ['{"question":"why?"}']
//# resolve = { "0.0" = '"because"' }
//# resumesFrom = "journal"
//# [expect]
//# result = '{"question":"why?","answer":"because"}'
//# calls = [["codemode.run", "applied"], ["people.ask", "applied"]]
return codemode.run("asks", "why?");
