//# title = "a name with line breaks and invisible characters is quoted in one line that shows them"
//# tools = "demo"
//# [expect]
//# result = '"unknown tool: `a\\nerror: b\\u{2028}\\u{200b}c`"'
//# calls = [["a\nerror: b\u2028\u200Bc", "failed"]]
return await tools["a\nerror: b\u2028\u200bc"]().catch((error) => error.message);
