//# title = "the size of a result counts bytes of UTF-8"
//# limits = { result = 10 }
//# [expect]
//# [expect.error]
//# code = "RESULT_TOO_LARGE"
//# name = 'ResultTooLargeError'
//# message = 'the result is 12 bytes of JSON, and the limit is 10 bytes'
//# details = { limit = 10, size = 12 }
return "äääää";
