//# title = "a call that failed before a crash has failed after it as well"
//# tools = "spec"
//# [[passes]]
//# crash = true
//# [expect]
//# result = '["one","two"]'
//# calls = [["demo.fail", "failed"], ["spec.crashSafely", "applied"], ["demo.fail", "failed"]]
const codes = [];
await tools.demo.fail({ message: "one" }).catch((error) => codes.push(error.message));
await tools.spec.crashSafely(0);
await tools.demo.fail({ message: "two" }).catch((error) => codes.push(error.message));
return codes;
