//# title = "out-of-memory while a promise is settled can be caught by the one who awaits it"
//# tools = "demo"
//# limits = { memory = "4MiB" }
//# [expect]
//# result = '"caught or answered"'
//# calls = [["demo.echo", "applied"]]
let list: any = null;
const hold: unknown[] = [];
const call = tools.demo.echo(1).then((one) => one + 1);
try { for (;;) hold.push(new Uint8Array(4096)); } catch {}
try { for (;;) list = { list }; } catch {}
for (let i = 0; i < 5; i++) list = list.list;
try { await call; } catch { list = null; }
return "caught or answered";
