const withVar = [], withLet = [], withConst = [];
for (var i = 0; i < 3; i++) withVar.push(() => i);
for (let j = 0; j < 3; j++) withLet.push(() => j++ + j);
for (const key in { a: 1, b: 2 }) withConst.push(() => key);
const timers = [];
for (let k = 0; k < 3; k++) setTimeout(() => timers.push(k), 3 - k);
await new Promise((r) => setTimeout(r, 30));
const tools2 = ['KB-100', 'MS-200'].map((sku) => () => tools.inventory.products.get({ sku }));
return { withVar: withVar.map((f) => f()), withLet: withLet.map((f) => f()), withConst: withConst.map((f) => f()), timers: timers.length, names: (await Promise.all(tools2.map((f) => f()))).map((p) => p.name) };
