//# title = "whatever depth a call is made from, it is refused or a stack overflow, and the program goes on"
//# tools = "demo"
//# limits = { stack = "64KiB", calls = 0 }
//# [expect]
//# result = '["done",true,0]'
//# logs = [["log", "after"]]
const calls: Promise<unknown>[] = [];
const deep = (n: number): void => {
  if (n === 0) { calls[calls.length] = tools.demo.echo({ a: [[[1]]] }); return; }
  deep(n - 1);
};
let failed = 0;
for (let n = 0; n < 1000; n += 7) { try { deep(n); } catch { failed++; } }
const settled = await Promise.allSettled(calls);
console.log("after");
return ["done", failed > 0, settled.filter((one) => one.status === "fulfilled").length];
