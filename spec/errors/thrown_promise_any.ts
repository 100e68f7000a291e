//# title = "a Promise.any of which all fail is an AggregateError with their reasons"
//# [expect]
//# result = '["AggregateError",["a","b"]]'
const all = [Promise.reject("a"), Promise.reject("b")];
const error = await Promise.any(all).catch((e) => e);
return [error.name, error.errors];
