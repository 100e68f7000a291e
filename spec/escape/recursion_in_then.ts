//# title = "calls made on the way back from a stack overflow are calls like any other"
//# tools = "demo"
//# [expect]
//# result = '["RangeError",[0,1,2]]'
//# calls = [["demo.echo", "applied"], ["demo.echo", "applied"], ["demo.echo", "applied"]]
const made: Promise<unknown>[] = [];
let name = "none";
let depth = 0;
function deep(): void {
  depth++;
  try { deep(); } catch (error) { name = error.name; throw error; } finally { if (--depth < 3) made.push(tools.demo.echo(made.length)); }
}
try { deep(); } catch {}
return [name, await Promise.all(made)];
