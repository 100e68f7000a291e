//# title = "an Error as the result is its name, message and own properties"
//# differsFromNode = "JSON.stringify loses them"
//# [expect]
//# result = '[{"name":"Error","message":"x"},{"name":"Error","message":"y","code":5}]'
//# warnings = ["`0` is an Error, and was returned as its name, message and own properties"]
return [new Error("x"), Object.assign(new Error("y"), { code: 5 })];
