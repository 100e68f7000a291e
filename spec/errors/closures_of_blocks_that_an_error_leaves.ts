//# title = "each turn of a block has variables of its own, whatever leaves it: loops, switches, labels, generators, async functions"
//# [expect]
//# result = '{"while":[0,1,2],"of":[0,1,2],"in":["a","b"],"switch":[0,1,2],"label":[0,1,2],"function":[0,1,2],"class":[0,1,2],"generator":[0,1,2],"async":[0,1,2],"catch":[0,1,2],"finally":[0,1,2],"written":[10,11,12]}'
const made: Record<string, (() => unknown)[]> = {};
const keep = (kind: string, read: () => unknown) => (made[kind] ??= []).push(read);
let n = 0;
while (n < 3) { try { const turn = n++; keep("while", () => turn); throw 1; } catch {} }
for (const i of [0, 1, 2]) { try { for (const turn of [i]) { keep("of", () => turn); throw 1; } } catch {} }
for (const i in { a: 1, b: 2 }) { try { for (const turn in { [i]: 1 }) { keep("in", () => turn); throw 1; } } catch {} }
for (let i = 0; i < 3; i++) { try { switch (1) { case 1: const turn = i; keep("switch", () => turn); throw 1; } } catch {} }
outer: for (let i = 0; i < 3; i++) { for (;;) { try { const turn = i; keep("label", () => turn); throw 1; } catch { continue outer; } } }
for (let i = 0; i < 3; i++) { try { let turn = i; function read() { return turn; } keep("function", read); throw 1; } catch {} }
for (let i = 0; i < 3; i++) { try { class Turn { static value = i; } keep("class", () => Turn.value); throw 1; } catch {} }
function* generator() { for (let i = 0; i < 3; i++) { try { const turn = i; keep("generator", () => turn); yield i; } catch {} } }
const running = generator();
running.next(); running.throw(1); running.throw(1); running.throw(1);
await (async () => { for (let i = 0; i < 3; i++) { try { const turn = i; keep("async", () => turn); await Promise.reject(1); } catch {} } })();
for (let i = 0; i < 3; i++) { try { try { throw i; } catch (turn) { keep("catch", () => turn); throw 1; } } catch {} }
for (let i = 0; i < 3; i++) { try { try { throw 1; } finally { const turn = i; keep("finally", () => turn); } } catch {} }
const writers: (() => void)[] = [];
for (let i = 0; i < 3; i++) { try { let turn = i; writers.push(() => { turn += 10; }); keep("written", () => turn); throw 1; } catch {} }
writers.forEach((write) => write());
return Object.fromEntries(Object.entries(made).map(([kind, reads]) => [kind, reads.map((read) => read())]));
