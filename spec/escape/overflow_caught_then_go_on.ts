//# title = "whatever depth a call is made from, it is refused or a stack overflow, and the program goes on"
//# tools = "demo"
//# limits = { stack = "64KiB", calls = 0 }
//# [expect]
//# result = '[["RangeError"],["CALL_LIMIT"]]'
//# logs = [["log", "after"]]
const calls: Promise<unknown>[] = [];
const deep = (n: number): void => {
  if (n === 0) { calls[calls.length] = tools.demo.echo({ a: [[[1]]] }); return; }
  deep(n - 1);
};
const thrown = new Set<string>();
for (let n = 0; n < 3000; n += 7) { try { deep(n); } catch (error) { thrown.add(error.name); } }
const settled = await Promise.all(calls.map((call) => call.then(() => "answered", (error) => error.code)));
console.log("after");
return [[...thrown], [...new Set(settled)]];
