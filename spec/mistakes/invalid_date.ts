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
//# [correction]
//# group = "builtins"
//# why = "A text that is not a date makes an invalid date, and the error comes when it is formatted. Use the form `2026-01-31T12:00:00Z`."
//# program = '''
//# return new Date("2026-01-31T12:00:00Z").toISOString();
//# '''
//# [correction.expect]
//# result = '"2026-01-31T12:00:00.000Z"'
