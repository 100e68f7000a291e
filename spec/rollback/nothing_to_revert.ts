//# title = "a program without effects is rolled back at once"
//# tools = "spec"
//# [expect]
//# result = "1"
//# [rollback]
return 1;
