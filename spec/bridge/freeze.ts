//# title = "freezing tools changes nothing"
//# tools = "demo"
//# [expect]
//# result = '[1,2]'
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"]]
try { Object.freeze(tools); } catch {}
try { Object.freeze(tools.demo); } catch {}
const sealed = Object.seal({ tools });
return [await tools.demo.echo(1), await sealed.tools.demo.echo(2)];
