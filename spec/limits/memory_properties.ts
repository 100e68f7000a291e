//# title = "properties of the global object that outgrow the memory are an out-of-memory that can be caught"
//# limits = { memory = "4MiB" }
//# [expect]
//# result = '["InternalError","out of memory"]'
let count = 0;
let error: any;
try { for (;; count++) (globalThis as any)["property" + count] = count; } catch (caught) { error = caught; }
for (let i = 0; i < count; i++) delete (globalThis as any)["property" + i];
return [error.name, error.message];
