//# title = "a snippet that sleeps holds nothing, and goes on in another process"
//# tools = "spec"
//# [config.limits]
//# lifetime = "1h"
//# timeout = "2s"
//# [snippets]
//# naps = 'const before = Date.now(); const key = await tools.spec.key.suffix(); await new Promise((done) => setTimeout(done, 2100)); return [key, Date.now() - before >= 2100]'
//# [[passes]]
//# sleeps = true
//# resumesFrom = "journal"
//# [expect]
//# result = '["0.0",true,"1"]'
//# calls = [["codemode.run", "applied"], ["spec.key.suffix", "applied"], ["spec.key.suffix", "applied"]]
const napped = await codemode.run("naps");
return [...napped, await tools.spec.key.suffix()];
