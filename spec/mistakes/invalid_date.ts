//# title = "an invalid date formatted"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "RangeError"
//# message = "Date value is NaN"
//# line = 10
//# column = 30
//# hint = "the date is invalid: check its text, or `Number.isNaN(date.getTime())` before it is used"
return new Date("yesterday").toISOString();
