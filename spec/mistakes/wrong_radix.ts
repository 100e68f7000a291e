//# title = "a wrong number of digits"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "RangeError"
//# message = "invalid number of digits"
//# line = 9
//# column = 14
return (1.5).toFixed(200);
//# [correction]
//# group = "builtins"
//# why = "`toFixed` takes 0 to 100 digits."
//# program = '''
//# return (1.5).toFixed(2);
//# '''
//# [correction.expect]
//# result = '"1.50"'
