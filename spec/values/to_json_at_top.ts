//# title = "toJSON of the result itself decides"
//# [expect]
//# result = '{"shown":2}'
return { secret: 1, toJSON() { return { shown: 2 }; } };
