//# title = "a module that imports itself is refused when the runtime is built, also if no program imports it"
//# tools = "spec"
//# [modules]
//# self = "export const one = 1\nimport { one as again } from 'self'"
//# [expect]
//# [expect.error]
//# code = "CONFIG"
//# name = "ConfigError"
//# message = "the module `self` cannot be linked: modules import each other in a circle: self → self"
//# line = 2
//# column = 30
//# details = { file = "self" }
return 1;
