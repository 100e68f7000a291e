//# title = "the calls of a snippet are numbered under the call that runs it"
//# tools = "spec"
//# [snippets]
//# twice = 'return [await tools.spec.key.suffix(), await tools.spec.key.suffix()]'
//# [expect]
//# result = '["0",["1.0","1.1"],"2"]'
//# calls = [["spec.key.suffix", "applied"], ["codemode.run", "applied"], ["spec.key.suffix", "applied"], ["spec.key.suffix", "applied"], ["spec.key.suffix", "applied"]]
return [await tools.spec.key.suffix(), await codemode.run("twice"), await tools.spec.key.suffix()];
