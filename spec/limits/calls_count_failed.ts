//# title = "calls that fail count, also those of unknown tools"
//# tools = "demo"
//# limits = { calls = 2 }
//# [expect]
//# result = '["TOOL","UNKNOWN_TOOL","CALL_LIMIT"]'
//# calls = [["demo.fail", "failed"], ["no.such.tool", "failed"]]
const code = (error: any) => error.code;
return [
  await tools.demo.fail({ message: "x" }).catch(code),
  await tools.no.such.tool().catch(code),
  await tools.demo.echo({}).catch(code),
];
