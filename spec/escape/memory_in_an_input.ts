//# title = "out-of-memory while an input is written can be caught, and the next call works"
//# tools = "demo"
//# limits = { memory = "6MiB" }
//# [expect]
//# result = '["out of memory",1]'
//# calls = [["demo.echo", "applied"]]
const one = "x".repeat(10_000);
let message;
try { await tools.demo.echo(new Array(1000).fill(one)); message = "none"; } catch (error) { message = error.message; }
return [message, await tools.demo.echo(1)];
