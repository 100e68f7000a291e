//# title = "out-of-memory can be caught again and again"
//# limits = { memory = "4MiB" }
//# [expect]
//# result = '10'
function fill(i: number): number {
  const all = [];
  try { for (;;) all.push("x".repeat(10_000) + i); } catch { return 1; }
}
let times = 0;
for (let i = 0; i < 10; i++) times += fill(i);
return times;
