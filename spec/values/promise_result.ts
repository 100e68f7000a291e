//# title = "a promise as the result is awaited"
//# [expect]
//# result = '{"a":1}'
return Promise.resolve(Promise.resolve({ a: 1 }));
