//# title = "an answer that does not fit into the memory limit is MEMORY"
//# differsKept = "a value that is kept has at most 1 MB"
//# tools = "demo"
//# limits = { memory = "4MiB" }
//# [expect]
//# calls = [["demo.text", "applied"]]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 4 MiB of memory'
//# details = { limit = 4194304 }
await tools.demo.text({ letters: 4_000_000 });
