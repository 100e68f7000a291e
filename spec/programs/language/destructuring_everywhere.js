const { items: [first, , third, ...others], total = 0 } = await tools.crm.customers.list({ limit: 6 });
const { name: title, tags: [tag = 'none'] = [], missing: { deep = 'default' } = {}, ...rest } = third;
const swap = ([a, b]) => [b, a];
function options({ retries = 3, log: { level = 'info', ...log } = {} } = {}) { return { retries, level, log }; }
let x = 1, y = 2;
[x, y] = [y, x];
const key = 'country';
const { [key]: country } = first;
for (const [i, { id }] of others.entries()) if (i === 1) { x = id; }
return { first: first.id, title, tag, deep, rest: Object.keys(rest).length, total, x, y, country, swapped: swap('ab'), opts: [options(), options({ log: { level: 'debug', file: 'a' } })] };
