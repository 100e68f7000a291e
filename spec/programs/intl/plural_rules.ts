const pr = new Intl.PluralRules("en-US");
const ordinals = new Intl.PluralRules("en-US", { type: "ordinal" });
const suffix: Record<string, string> = { one: "st", two: "nd", few: "rd", other: "th" };
const plural = (n: number, forms: { one: string; other: string }) => `${n} ${forms[pr.select(n) as "one" | "other"]}`;
const ordinal = (n: number) => `${n}${suffix[ordinals.select(n)]}`;
const repos = await tools.github.repos.list({});
const counts = await Promise.all(repos.map(async (r) => plural((await tools.github.issues.list({ repo: r.name })).length, { one: "issue", other: "issues" })));
const polish = new Intl.PluralRules("pl");
return { counts, ordinals: [1, 2, 3, 4, 11, 12, 21, 22, 103, 111].map(ordinal), polish: [1, 2, 5, 22, 25].map((n) => polish.select(n)) };
