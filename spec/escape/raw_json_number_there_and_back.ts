//# title = "a number of JSON.rawJSON crosses the wall as the number it is"
//# tools = "demo"
//# [expect]
//# result = '[12345678901234567000,1.5]'
//# calls = [["demo.echo", "applied"]]
return await tools.demo.echo([JSON.rawJSON("12345678901234567000"), JSON.rawJSON("1.5")]);
