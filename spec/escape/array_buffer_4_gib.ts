//# title = "a buffer of four gigabytes is refused in a way that can be caught"
//# limits = { memory = "8MiB" }
//# [expect]
//# result = '["RangeError","RangeError","InternalError"]'
const name = (f: () => unknown) => { try { f(); return "none"; } catch (error) { return error.name; } };
return [name(() => new ArrayBuffer(2 ** 32)), name(() => new Uint8Array(2 ** 53)), name(() => new ArrayBuffer(2 ** 30))];
