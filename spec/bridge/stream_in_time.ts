//# title = "the host is told of an output as soon as nothing follows it"
//# tools = "demo"
//# [expect]
//# result = '{ "progress": 3, "total": 3 }'
//# calls = [["demo.count", "applied"]]
//# progress = [["demo.count", '{ "progress": 1, "total": 3 }'], ["demo.count", '{ "progress": 2, "total": 3 }']]
return await tools.demo.count({ to: 3 });
