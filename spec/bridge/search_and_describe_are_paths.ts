//# title = "search and describe are unknown tools until there is a catalogue"
//# tools = "demo"
//# [expect]
//# result = '["UNKNOWN_TOOL","UNKNOWN_TOOL"]'
//# calls = [["search", "failed"], ["describe", "failed"]]
const code = (error: any) => error.code;
return [await tools.search("mail").catch(code), await tools.describe("mail").catch(code)];
