//# title = "a call of an unknown tool that is never awaited is DETACHED_CALL too"
//# checks = "off"
//# tools = "demo"
//# [expect]
//# calls = [["no.such", "issued"]]
//# [expect.error]
//# code = "DETACHED_CALL"
//# name = "DetachedCallError"
//# message = 'the program returned while its call of `no.such` was never awaited'
//# line = 12
//# column = 10
tools.no.such({});
return 1;
