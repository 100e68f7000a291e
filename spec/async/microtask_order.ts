//# title = "microtasks run in order, after the code that queued them"
//# [expect]
//# result = '["sync","end","a1","b1","q","awaited","a2","b2"]'
const seen: string[] = [];
Promise.resolve().then(() => seen.push("a1")).then(() => seen.push("a2"));
Promise.resolve().then(() => seen.push("b1")).then(() => seen.push("b2"));
queueMicrotask(() => seen.push("q"));
(async () => { seen.push("sync"); await null; seen.push("awaited"); })();
seen.push("end");
for (let i = 0; i < 5; i++) await null;
return seen;
