//# title = "uncaught out-of-memory is MEMORY: an object with endless keys"
//# limits = { memory = "8MiB" }
//# [expect]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 8 MiB of memory'
//# line = 11
//# column = 81
//# details = { limit = 8388608 }
const keys = new Proxy([], { get: (_, key) => (key === "length" ? 2 ** 31 : "a" + String(key)) });
return Object.keys(new Proxy({}, { ownKeys: () => keys as any })).length;
