let grid = ['.....', '..#..', '..#..', '..#..', '.....'].map((r) => [...r].map((c) => c === '#'));
const neighbours = (g, y, x) => [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => (dy || dx) && g[y + dy]?.[x + dx])).filter(Boolean).length;
const step = (g) => g.map((row, y) => row.map((alive, x) => { const n = neighbours(g, y, x); return n === 3 || (alive && n === 2); }));
const show = (g) => g.map((r) => r.map((c) => (c ? '#' : '.')).join('')).join('\n');
const { rollout } = await tools.flags.get({ key: 'new-checkout' });
for (let i = 0; i < rollout; i++) grid = step(grid);
return show(grid);
