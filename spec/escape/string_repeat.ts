//# title = "a string that is too long is an error that can be caught"
//# limits = { memory = "8MiB" }
//# [expect]
//# result = '["RangeError","InternalError","RangeError"]'
const name = (f: () => unknown) => { try { f(); return "none"; } catch (error) { return error.name; } };
return [name(() => "x".repeat(2 ** 31)), name(() => "x".repeat(2 ** 29)), name(() => "x".padEnd(2 ** 32))];
