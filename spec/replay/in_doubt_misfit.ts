//# title = "what is said to have come of a call in doubt has to fit like any other output"
//# tools = "spec"
//# [[passes]]
//# crash = true
//# [[passes]]
//# pending = [["0", "spec.crash", "in-doubt"], ["1", "demo.broken", "in-doubt"]]
//# happened = { 0 = "0", 1 = '{"number":"seven"}' }
//# [expect]
//# result = '"INVALID_OUTPUT"'
//# calls = [["spec.crash", "applied"], ["demo.broken", "failed"]]
const [, code] = await Promise.all([tools.spec.crash(), tools.demo.broken().catch((error) => error.code)]);
return code;
