//# title = "a stack overflow at every depth of the bridge is caught, and the program goes on"
//# tools = "demo"
//# limits = { stack = "64KiB", calls = 256 }
//# [expect]
//# result = '["done",true]'
//# calls = [["@WHATEVER@"]]
let failed = 0;
const calls: Promise<unknown>[] = [];
const deep = (n: number): void => {
  if (n === 0) { calls.push(tools.demo.echo({ a: [[[1]]] })); return; }
  deep(n - 1);
};
for (let n = 100; n < 300; n++) { try { deep(n); } catch (error) { failed++; } }
await Promise.allSettled(calls);
return ["done", failed > 0];
