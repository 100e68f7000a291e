//# title = "a then that is no function is data"
//# [expect]
//# result = '{"then":1}'
return { then: 1 };
