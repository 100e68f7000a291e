//# title = "the processor time of a snippet is that of the execution"
//# limits = { cpu = "200ms" }
//# crashChanges = "the time that a dead process used is not known"
//# [snippets]
//# spins = 'for (;;);'
//# [expect]
//# calls = [["codemode.run", "cancelled-unknown"]]
//# [expect.error]
//# code = "TIMEOUT"
//# name = "TimeoutError"
//# message = "the program used more than 200ms of processor time"
return codemode.run("spins");
