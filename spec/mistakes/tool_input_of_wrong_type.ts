//# title = "a tool given a text for a number"
//# tools = "demo"
//# [expect]
//# [expect.error]
//# code = "CHECK"
//# name = "CheckError"
//# message = "invalid input for tool `demo.wait`: at /ms: \"1\" is not of type \"integer\""
//# line = 11
//# column = 25
//# hint = "call it as tools.demo.wait(input: { /** @integer @minimum 0 */ ms: number; }): Promise<unknown>"
return await tools.demo.wait({ ms: "1" });
//# [correction]
//# group = "tools"
//# why = "Inputs are not converted: the schema of the tool asks for a number, not for a text with digits."
//# program = '''
//# return await tools.demo.wait({ ms: 1 });
//# '''
//# [correction.expect]
//# result = '{"waited":1}'
//# calls = [["demo.wait", "applied"]]
