//# title = "an Error as the result has no enumerable properties"
//# [expect]
//# result = '[{},{"code":5}]'
return [new Error("x"), Object.assign(new Error("y"), { code: 5 })];
