//# title = "even null needs four bytes"
//# limits = { result = 3 }
//# [expect]
//# [expect.error]
//# code = "RESULT_TOO_LARGE"
//# name = 'ResultTooLargeError'
//# message = 'the result is 4 bytes of JSON, and the limit is 3 bytes'
//# details = { limit = 3, size = 4 }
await null;
