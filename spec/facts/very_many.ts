//# title = "any number of facts of one name stays within its bound"
//# limits = { facts = 100 }
//# tools = "demo"
//# [expect]
//# result = '1'
//# logs = [["warn", "LOG_LIMIT: the facts are full (100 bytes); what follows is dropped"]]
//# facts = '{"n":4}'
for (let n = 0; n < 100_000; n++) codemode.fact("n", n);
return 1;
