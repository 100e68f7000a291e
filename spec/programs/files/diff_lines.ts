// LCS diff of two files, in unified style
const [a, b] = (await Promise.all(["data/old.txt", "data/new.txt"].map((path) => tools.files.read({ path })))).map((f) => f.content.trimEnd().split("\n"));

const n = a.length, m = b.length;
const lcs = Array.from({ length: n + 1 }, () => new Uint16Array(m + 1));
for (let i = n - 1; i >= 0; i--)
  for (let j = m - 1; j >= 0; j--) lcs[i][j] = a[i] === b[j] ? lcs[i + 1][j + 1] + 1 : Math.max(lcs[i + 1][j], lcs[i][j + 1]);

const out: string[] = [];
let i = 0, j = 0;
while (i < n || j < m) {
  if (i < n && j < m && a[i] === b[j]) { out.push("  " + a[i++]); j++; }
  else if (j >= m || (i < n && lcs[i + 1][j] >= lcs[i][j + 1])) out.push("- " + a[i++]);
  else out.push("+ " + b[j++]);
}
return out;
