//# title = "require is a ReferenceError with a hint"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = 'require is not defined'
//# line = 8
//# column = 12
const fs = require("fs");
return 1;
