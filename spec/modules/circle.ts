//# title = "modules that import each other in a circle are refused when the runtime is built, with the place of the import"
//# tools = "spec"
//# [modules]
//# a = "import { b } from 'b'\nexport const a = 1"
//# b = "\nimport { c } from 'c'\nexport const b = 1"
//# c = "\n\nimport { a } from 'a'\nexport const c = 1"
//# [expect]
//# [expect.error]
//# code = "CONFIG"
//# name = "ConfigError"
//# message = "the module `c` cannot be linked: modules import each other in a circle: a → b → c → a"
//# line = 3
//# column = 19
//# details = { file = "c", source = "import { a } from 'a'" }
import { a } from 'a';
return a;
