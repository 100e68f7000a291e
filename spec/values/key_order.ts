//# title = "the order of keys is kept: integers first, then as they were added"
//# tools = "demo"
//# [expect]
//# calls = [["demo.echo", "applied"]]
//# result = '"{\"9\":4,\"10\":3,\"b\":1,\"a\":2,\"-1\":5}"'
return JSON.stringify(await tools.demo.echo({ b: 1, a: 2, 10: 3, 9: 4, "-1": 5 }));
