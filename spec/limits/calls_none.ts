//# title = "no calls at all can be allowed"
//# tools = "demo"
//# limits = { calls = 0 }
//# [expect]
//# result = '["CALL_LIMIT","CALL_LIMIT"]'
const codes: string[] = [];
try { await tools.demo.echo({}); } catch (error) { codes.push(error.code); }
try { setTimeout(() => {}, 0); } catch (error) { codes.push(error.code); }
return codes;
