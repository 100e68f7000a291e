//# title = "facts past their limit are dropped with one warning, and the program goes on"
//# limits = { facts = 60 }
//# tools = "demo"
//# [expect]
//# result = '1'
//# logs = [["warn", "LOG_LIMIT: the facts are full (60 bytes); what follows is dropped"]]
//# facts = '{"a":1,"b":"12345678"}'
codemode.fact("a", 1);
codemode.fact("b", "12345678");
codemode.fact("c", "12345678901234567890");
codemode.fact("d", 1);
globalThis.facts = { e: 1 };
return 1;
