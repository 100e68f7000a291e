/** Finds stale issues and pretends to comment on them. */
const NOW = new Date("2025-02-01T12:00:00Z").getTime();
const DAY = 86_400_000;

interface Rule {
  readonly days: number;
  readonly message: (age: number) => string;
  readonly skip?: readonly string[];
}

const rules = [
  { days: 20, message: (age) => `No activity for ${age} days, closing soon.`, skip: ["P0"] },
  { days: 10, message: (age) => `Still relevant? (${age} days)` },
] as const satisfies readonly Rule[];

const issues = await tools.github.issues.list({ state: "open" });
const actions: { number: number; comment: string }[] = [];
outer: for (const issue of issues) {
  const age = Math.floor((NOW - new Date(issue.createdAt).valueOf()) / DAY);
  for (const rule of rules) {
    if (age < rule.days) continue;
    if ("skip" in rule && rule.skip.some((label) => issue.labels.includes(label))) continue outer;
    actions.push({ number: issue.number, comment: rule.message(age) });
    continue outer;
  }
}
return actions;
