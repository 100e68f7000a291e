//# title = "a call made from the depth of the stack is a call, or a stack overflow, never half of one"
//# tools = "demo"
//# [expect]
//# result = '["RangeError",true]'
//# calls = [["@DEEP@"]]
const made: Promise<unknown>[] = [];
let name = "none";
function deep(): void { try { deep(); } catch (error) { name = error.name; if (made.length < 3) made.push(tools.demo.echo(made.length)); } }
deep();
const answers = await Promise.all(made);
return [name, answers.every((answer, i) => answer === i)];
