const { items } = await tools.analytics.events.list({ limit: 100 });
const grid = Array.from({ length: 3 }, (_, i) => items.slice(i * 4, i * 4 + 4).map((e) => e.type));
let found = null, visited = 0;
search:
for (let y = 0; y < grid.length; y++) {
  for (let x = 0; x < grid[y].length; x++) {
    visited++;
    if (grid[y][x] === 'error') continue search;
    if (grid[y][x] === 'purchase') { found = { x, y }; break search; }
  }
}
let n = 0;
do { if (n === 3) break; n++; } while (true);
return { found, visited, n };
