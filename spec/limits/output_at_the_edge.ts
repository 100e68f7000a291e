//# title = "an output of exactly the limit is delivered"
//# tools = "demo"
//# limits = { output = 12 }
//# [expect]
//# result = '"xxxxxxxxxx"'
//# calls = [["demo.text", "applied"]]
return await tools.demo.text({ letters: 10 });
