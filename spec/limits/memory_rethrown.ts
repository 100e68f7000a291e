//# title = "an out-of-memory that is caught and thrown again later is still MEMORY"
//# limits = { memory = "4MiB" }
//# [expect]
//# [expect.error]
//# code = "MEMORY"
//# name = 'MemoryLimitError'
//# message = 'the program needed more than 4 MiB of memory'
//# line = 12
//# column = 7
let kept;
try {
  new Uint8Array(8_000_000);
} catch (error) {
  kept = error;
}
await null;
throw kept;
