//# title = "toJSON that gives undefined is a result of null"
//# [expect]
//# result = 'null'
//# warnings = ['the program returned `null`, logged nothing and called no tool: end it with `return` and a value']
return { toJSON() {} };
