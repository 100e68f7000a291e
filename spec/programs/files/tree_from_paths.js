const files = await tools.files.list();
const tree = {};
for (const { path, size } of files) {
  const parts = path.split('/');
  const name = parts.pop();
  const dir = parts.reduce((node, part) => node[part] ??= {}, tree);
  dir[name] = size;
}
const sum = node => typeof node === 'number' ? node : Object.values(node).reduce((s, n) => s + sum(n), 0);
const print = (node, depth = 0) => Object.entries(node).sort(([a], [b]) => a < b ? -1 : 1).flatMap(([name, child]) => [
  '  '.repeat(depth) + name + (typeof child === 'number' ? ` (${child} B)` : `/ (${sum(child)} B)`),
  ...(typeof child === 'number' ? [] : print(child, depth + 1)),
]);
return print(tree).join('\n');
