//# title = "an await expression is a last expression"
//# [expect]
//# result = '{"ok":true}'
await Promise.resolve({ ok: true });
