//# title = "out-of-memory can be caught again and again"
//# limits = { memory = "4MiB" }
//# [expect]
//# result = '10'
let times = 0;
for (let i = 0; i < 10; i++) {
  try {
    const all = [];
    for (;;) all.push("x".repeat(10_000) + i);
  } catch {
    times++;
  }
}
return times;
