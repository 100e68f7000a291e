//# title = "a result that is too large and too deep is too large"
//# limits = { result = 100 }
//# [expect]
//# [expect.error]
//# code = "RESULT_TOO_LARGE"
//# name = 'ResultTooLargeError'
//# message = 'the result is 401 bytes of JSON, and the limit is 100 bytes'
let deep: unknown = 1;
for (let i = 0; i < 200; i++) deep = [deep];
return deep;
