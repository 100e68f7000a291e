//# title = "a call made while an input is written comes before the call it is for"
//# tools = "demo"
//# [expect]
//# result = '[{"inner":true},{"outer":1}]'
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"]]
let inner;
const outer = tools.demo.echo({ toJSON() { inner = tools.demo.echo({ inner: true }); return { outer: 1 }; } });
return Promise.all([inner, outer]);
