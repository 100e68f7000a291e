//# title = "a call of a snippet that was running when the process died is in doubt"
//# tools = "spec"
//# [snippets]
//# crashes = 'return [await tools.spec.key.suffix(), await tools.spec.crash()]'
//# [[passes]]
//# crash = true
//# [[passes]]
//# pending = [["0.1", "spec.crash", "in-doubt"]]
//# happened = { "0.1" = '"done"' }
//# resumesFrom = "journal"
//# [expect]
//# result = '["0.0","done"]'
//# calls = [["codemode.run", "applied"], ["spec.key.suffix", "applied"], ["spec.crash", "applied"]]
return codemode.run("crashes");
