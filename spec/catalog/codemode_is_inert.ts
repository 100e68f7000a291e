//# title = "codemode shows nothing, cannot be changed, and has no functions but its own"
//# tools = "demo"
//# [expect]
//# result = '["function",[],"TypeError",false,"codemode has no `eval`: it has `search`, `describe`, `step`, `run` and `fact`","UNKNOWN_TOOL"]'
//# calls = [["codemode.eval", "failed"], ["codemode", "failed"]]
let changed = "no error";
try { codemode.search = () => 1; } catch (error) { changed = error.name; }
const missing = await codemode.eval("1").catch((error) => error.message);
const itself = await (codemode as any)().catch((error) => error.code);
return [typeof codemode, Reflect.ownKeys(codemode), changed, "search" in codemode, missing, itself];
