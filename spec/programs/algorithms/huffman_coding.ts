type Tree = { weight: number; symbol?: string; left?: Tree; right?: Tree };
const { content } = await tools.files.read({ path: "data/old.txt" });
const counts = [...content].reduce((m, c) => m.set(c, (m.get(c) ?? 0) + 1), new Map<string, number>());
const forest: Tree[] = [...counts].map(([symbol, weight]) => ({ symbol, weight }));
const compare = (a: Tree, b: Tree) => a.weight - b.weight || ((a.symbol ?? "~") < (b.symbol ?? "~") ? -1 : 1);
while (forest.length > 1) {
  forest.sort(compare);
  const [left, right] = forest.splice(0, 2);
  forest.push({ weight: left.weight + right.weight, left, right });
}
const codes: Record<string, string> = {};
(function walk(node: Tree, code: string): void {
  if (node.symbol !== undefined) { codes[node.symbol] = code; return; }
  walk(node.left!, code + "0");
  walk(node.right!, code + "1");
})(forest[0], "");
const bits = [...content].map((c) => codes[c]).join("");
return { symbols: counts.size, bits: bits.length, ratio: (bits.length / (content.length * 8)).toFixed(3), prefixFree: Object.values(codes).every((a) => Object.values(codes).every((b) => a === b || !b.startsWith(a))) };
