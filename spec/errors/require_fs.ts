//# title = "require of a module that is not here says what to use instead"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = "cannot require 'fs': there is no file system here; call a tool, or keep data in variables and return it"
//# line = 8
//# column = 12
const fs = require("fs");
return fs.readFileSync("a.txt", "utf8");
