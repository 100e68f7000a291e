//# title = "an import that a rule allows is there"
//# tools = "demo"
//# [[config.rules]]
//# allow = "imports"
//# names = ["node:*"]
//# [expect]
//# result = '"b"'
import path from 'node:path';
return path.basename('/a/b');
