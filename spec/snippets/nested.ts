//# title = "snippets run snippets"
//# tools = "spec"
//# [snippets]
//# inner = 'return [input, await tools.spec.key.suffix()]'
//# outer = 'return Promise.all([codemode.run("inner", 1), codemode.run("inner", 2)])'
//# [expect]
//# result = '[[1,"0.0.0"],[2,"0.1.0"]]'
//# calls = [["codemode.run", "applied"], ["codemode.run", "applied"], ["spec.key.suffix", "applied"], ["codemode.run", "applied"], ["spec.key.suffix", "applied"]]
return codemode.run("outer");
