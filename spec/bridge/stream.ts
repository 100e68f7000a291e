//# title = "the last output of a stream is the result, and the host is told of those before it"
//# tools = "spec"
//# [expect]
//# result = '{ "rows": 3 }'
//# calls = [["spec.stream", "applied"]]
//# progress = [["spec.stream", '"one"'], ["spec.stream", '[2]']]
return await tools.spec.stream({ values: ["one", [2], { rows: 3 }] });
