//# title = "deep values are cut"
//# [expect]
//# logs = [["log", "{\"a\":{\"b\":{\"c\":{\"d\":{\"e\":{\"f\":[Object]}}}}}}"]]
//# result = 'null'
console.log({ a: { b: { c: { d: { e: { f: { g: 1 } } } } } } });
return null;
