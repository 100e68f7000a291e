//# title = "globalThis.facts that is no plain object, or has a getter, or values that are no JSON, does no harm"
//# tools = "demo"
//# [expect]
//# result = '1'
//# logs = [["warn", "a value of globalThis.facts could not be recorded: it is not JSON"], ["warn", "a value of globalThis.facts could not be recorded: it is not JSON"]]
//# facts = '{"fine":1,"read":2}'
globalThis.facts = { fine: 1, big: 1n, get read() { return 2; }, get thrown() { throw new Error("no"); } };
return 1;
