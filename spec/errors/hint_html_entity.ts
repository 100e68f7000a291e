//# title = "an operator that is escaped for HTML and parses has a hint"
//# [expect.error]
//# code = "THROWN"
//# name = "ReferenceError"
//# message = "lt is not defined"
//# line = 9
//# column = 11
//# hint = 'the text is escaped for HTML: write <, >, & and quotes as they are'
return 1 &lt; 2;
