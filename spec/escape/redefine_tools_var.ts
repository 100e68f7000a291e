//# title = "a var named tools is the program's own"
//# tools = "demo"
//# [expect]
//# result = '[1,"UNKNOWN_TOOL"]'
//# calls = [["a", "failed"]]
var own: any = globalThis.tools;
{ let tools: any = { a: () => 1 }; own = [tools.a(), await globalThis.tools.a().catch((error) => error.code)]; }
return own;
