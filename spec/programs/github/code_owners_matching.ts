// Glob patterns to regular expressions: ** any depth, * inside a segment
const globToRegExp = (glob: string): RegExp =>
  new RegExp("^" + glob.replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*\*\//g, "\u0000").replace(/\*\*/g, "\u0001").replace(/\*/g, "[^/]*").replace(/\u0000/g, "(?:.*/)?").replace(/\u0001/g, ".*") + "$");
const owners: [string, string[]][] = [["**", ["@core"]], ["docs/**", ["@writers"]], ["**/*.json", ["@data", "@core"]], ["config/*.{ini}", ["@nobody"]], ["config/*", ["@ops"]]];
const rules = owners.map(([glob, who]) => ({ re: globToRegExp(glob), who }));
const files = await tools.files.list({});
return Object.fromEntries(files.map(({ path }) => [path, rules.findLast(({ re }) => re.test(path))?.who.join(" ") ?? "-"]));
