//# title = "toJSON on a prototype changes values as JSON.stringify would, and nothing else"
//# tools = "demo"
//# [expect]
//# result = '"object"'
//# calls = [["demo.echo", "applied"]]
(Object.prototype as any).toJSON = function () { return Array.isArray(this) ? "array" : "object"; };
const answer = await tools.demo.echo([1]);
return answer === "array" ? {} : answer;
