//# title = "a result of one byte more than 1 MiB is refused"
//# [expect]
//# [expect.error]
//# code = "RESULT_TOO_LARGE"
//# name = 'ResultTooLargeError'
//# message = 'the result is 1048577 bytes of JSON, and the limit is 1 MiB'
//# details = { limit = 1048576, size = 1048577 }
return "x".repeat(1048576 - 1);
