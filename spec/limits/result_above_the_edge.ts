//# title = "a result of one byte more than the limit is refused"
//# limits = { result = 10 }
//# [expect]
//# [expect.error]
//# code = "RESULT_TOO_LARGE"
//# name = 'ResultTooLargeError'
//# message = 'the result is 11 bytes of JSON, and the limit is 10 bytes'
//# details = { limit = 10, size = 11 }
return "x".repeat(9);
