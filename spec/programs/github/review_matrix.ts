const pulls = await tools.github.pulls.list({});
const people = [...new Set(pulls.flatMap((p) => [p.author, ...p.reviewers]))].sort();

const matrix = people.map(() => new Array(people.length).fill(0));
for (const pull of pulls) {
  for (const reviewer of pull.reviewers) {
    matrix[people.indexOf(reviewer)][people.indexOf(pull.author)] += 1;
  }
}

const width = Math.max(...people.map((p) => p.length));
const table = [
  " ".repeat(width) + " | " + people.map((p) => p.slice(0, 3).padStart(3)).join(" "),
  ...people.map((p, i) => `${p.padEnd(width)} | ${matrix[i].map((n) => String(n || "·").padStart(3)).join(" ")}`),
];
return { table: table.join("\n"), totals: Object.fromEntries(people.map((p, i) => [p, matrix[i].reduce((a, b) => a + b)])) };
