//# title = "many timers fire, each once"
//# [expect]
//# result = '100'
let fired = 0;
await Promise.all(Array.from({ length: 100 }, (_, i) => new Promise<void>((resolve) => setTimeout(() => { fired++; resolve(); }, i % 7))));
return fired;
