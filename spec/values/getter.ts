//# title = "a getter is read"
//# [expect]
//# result = '{"a":[1,2]}'
return { get a() { return [1, 2]; } };
