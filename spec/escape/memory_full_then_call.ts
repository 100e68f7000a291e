//# title = "paths of tools that use up the memory are an out-of-memory that can be caught, and the next call works"
//# tools = "demo"
//# limits = { memory = "4MiB" }
//# [expect]
//# result = '["InternalError","out of memory",1]'
//# calls = [["demo.echo", "applied"]]
let list: any = null;
let caught: any;
try { for (;;) list = { list, path: tools.demo.echo.a.b.c }; } catch (error) { caught = error; }
list = null;
return [caught.name, caught.message, await tools.demo.echo(1)];
