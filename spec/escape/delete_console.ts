//# title = "without the global console there is no log, and nothing else changes"
//# tools = "demo"
//# [expect]
//# result = '["ReferenceError",1]'
//# calls = [["demo.echo", "applied"]]
delete (globalThis as any).console;
let name = "none";
try { console.log("x"); } catch (error) { name = error.name; }
return [name, await tools.demo.echo(1)];
