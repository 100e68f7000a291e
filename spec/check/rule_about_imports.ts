//# title = "an import that no rule allows is found"
//# tools = "demo"
//# [[config.rules]]
//# allow = "imports"
//# names = ["node:util", "./*"]
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = 'CheckError'
//# message = 'the import of `node:path` is not allowed here'
//# line = 13
//# column = 18
import path from 'node:path';
return path.basename('/a/b');
