//# title = "a number that is too large for the engine is a RangeError, not MEMORY"
//# limits = { memory = "8MiB" }
//# [expect]
//# result = '["RangeError","BigInt is too large to allocate"]'
let n = 1n;
try { for (;;) n = n << 100000n; } catch (error) { return [error.name, error.message]; }
