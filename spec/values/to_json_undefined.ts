//# title = "toJSON that gives undefined is a result of null"
//# [expect]
//# result = 'null'
return { toJSON() {} };
