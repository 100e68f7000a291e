//# title = "no calls at all can be allowed, and timers still fire"
//# tools = "demo"
//# limits = { calls = 0 }
//# [expect]
//# result = '["CALL_LIMIT","fired"]'
const codes: string[] = [];
try { await tools.demo.echo({}); } catch (error) { codes.push(error.code); }
codes.push(await new Promise((resolve) => setTimeout(resolve, 1, "fired")));
return codes;
