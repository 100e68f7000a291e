//# title = "many snippets run at the same time, and those above the limit wait for their turn"
//# tools = "spec"
//# [snippets]
//# square = 'await tools.spec.key.suffix(); return input * input'
//# [expect]
//# result = '[0,1,4,9,16,25,36,49,64,81,100,121]'
//# calls = [["codemode.run", "applied"], ["spec.key.suffix", "applied"], ["codemode.run", "applied"], ["spec.key.suffix", "applied"], ["codemode.run", "applied"], ["spec.key.suffix", "applied"], ["codemode.run", "applied"], ["spec.key.suffix", "applied"], ["codemode.run", "applied"], ["spec.key.suffix", "applied"], ["codemode.run", "applied"], ["spec.key.suffix", "applied"], ["codemode.run", "applied"], ["spec.key.suffix", "applied"], ["codemode.run", "applied"], ["spec.key.suffix", "applied"], ["codemode.run", "applied"], ["spec.key.suffix", "applied"], ["codemode.run", "applied"], ["spec.key.suffix", "applied"], ["codemode.run", "applied"], ["spec.key.suffix", "applied"], ["codemode.run", "applied"], ["spec.key.suffix", "applied"]]
return Promise.all([...Array(12).keys()].map((number) => codemode.run("square", number)));
