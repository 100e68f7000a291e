//# title = "a package required"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = "cannot require 'lodash': use the methods of Array and Object, such as map, flatMap, Object.groupBy and structuredClone"
//# line = 9
//# column = 11
const _ = require("lodash");
return _.sum([1, 2]);
