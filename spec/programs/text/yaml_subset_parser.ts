// Parses a YAML subset: nested maps, lists and scalars
const source = `
name: deploy
on: [push, pull_request]
jobs:
  build:
    runs: ubuntu   # comment
    steps:
      - checkout
      - run: npm test
        retries: 2
  lint:
    enabled: false
`;
type Node = string | number | boolean | null | Node[] | { [k: string]: Node };
const scalar = (s: string): Node => {
  s = s.trim();
  if (/^\[.*\]$/.test(s)) return s.slice(1, -1).split(",").map(scalar);
  if (s === "true" || s === "false") return s === "true";
  if (s === "" || s === "~") return null;
  return /^-?\d+(\.\d+)?$/.test(s) ? Number(s) : s.replace(/^(["'])(.*)\1$/, "$2");
};
const lines = source.split("\n").map((l) => l.replace(/\s+#.*$/, "")).filter((l) => l.trim()).map((l) => ({ indent: l.search(/\S/), text: l.trim() }));
function parse(indent: number): Node {
  if (lines[0].text.startsWith("- ")) {
    const list: Node[] = [];
    while (lines.length && lines[0].indent === indent && lines[0].text.startsWith("- ")) {
      const item = lines[0].text.slice(2);
      if (/^[\w-]+:/.test(item)) { lines[0] = { indent: indent + 2, text: item }; list.push(parse(indent + 2)); }
      else { lines.shift(); list.push(scalar(item)); }
    }
    return list;
  }
  const map: { [k: string]: Node } = {};
  while (lines.length && lines[0].indent === indent) {
    const [, key, rest] = /^([\w-]+):\s*(.*)$/.exec(lines.shift()!.text)!;
    map[key] = rest || !lines.length || lines[0].indent <= indent ? scalar(rest) : parse(lines[0].indent);
  }
  return map;
}
return parse(0);
