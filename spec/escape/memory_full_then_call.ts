//# title = "a call that is made with no memory left fails in a way that can be caught"
//# tools = "demo"
//# limits = { memory = "4MiB" }
//# [expect]
//# result = 'true'
let list: unknown = null;
let message = "none";
try { for (;;) list = { list }; } catch {}
try { for (let i = 0; i < 1000; i++) { tools.demo.echo.a.b.c.d; list = { list }; } } catch (error) { message = error === null ? "null" : error.message; }
list = null;
return message === "out of memory" || message === "none";
