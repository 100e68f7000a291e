//# title = "what is checked is what JSON makes of the input"
//# tools = "demo"
//# [expect]
//# calls = [["demo.wait", "applied"], ["demo.wait", "applied"], ["demo.wait", "failed"]]
//# result = '[{"waited": 0}, {"waited": 1}, "invalid input for tool `demo.wait`: at /ms: null is not of type \"integer\""]'
return [await tools.demo.wait({ ms: 0, extra: undefined }), await tools.demo.wait({ ms: new Number(1) }), await tools.demo.wait({ ms: NaN }).catch((e: any) => e.message)];
