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
//# [correction]
//# group = "absent"
//# why = "Packages cannot be installed. The methods of `Array` and `Object` do most of what such packages do."
//# program = '''
//# return [1, 2].reduce((sum, n) => sum + n, 0);
//# '''
//# [correction.expect]
//# result = '3'
