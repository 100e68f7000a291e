//# title = "a snippet that runs itself ends with an error that says so"
//# [snippets]
//# forever = 'return codemode.run("forever", input + 1)'
//# [expect]
//# result = '["CALL_LIMIT",true]'
//# calls = [["codemode.run", "failed"], ["codemode.run", "failed"], ["codemode.run", "failed"], ["codemode.run", "failed"], ["codemode.run", "failed"], ["codemode.run", "failed"], ["codemode.run", "failed"], ["codemode.run", "failed"], ["codemode.run", "failed"]]
return codemode.run("forever", 0).catch((error) => [error.code, error.message.endsWith("snippets are nested deeper than 8 levels")]);
