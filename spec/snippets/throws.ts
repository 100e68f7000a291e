//# title = "an error of a snippet has its code and its message, and the place of the call"
//# [snippets]
//# throws = 'throw new TypeError("no")'
//# [expect]
//# calls = [["codemode.run", "failed"]]
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "snippet `throws`: no"
//# line = 13
//# column = 23
//# details = { snippet = "throws", snippetLine = 1, tool = "codemode.run" }
return await codemode.run("throws");
