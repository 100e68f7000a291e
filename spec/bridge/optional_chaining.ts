//# title = "optional chaining never ends: every path is there"
//# tools = "demo"
//# [expect]
//# result = '[1,"UNKNOWN_TOOL"]'
//# calls = [["demo.echo", "applied"], ["a.b", "failed"]]
return [await tools?.demo?.echo?.(1), await tools.a?.b?.().catch((error) => error.code)];
