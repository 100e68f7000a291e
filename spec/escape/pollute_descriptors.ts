//# title = "a polluted get on Object.prototype breaks defineProperty as the language says, and not the bridge"
//# tools = "demo"
//# [expect]
//# result = '["TypeError",1,"TOOL"]'
//# calls = [["demo.echo", "applied"], ["demo.fail", "failed"]]
(Object.prototype as any).get = "polluted";
let name = "none";
try { Object.defineProperty({}, "a", { value: 1 }); } catch (error) { name = error.name; }
return [name, await tools.demo.echo(1), await tools.demo.fail({ message: "x" }).catch((error) => error.code)];
