enum Section {
  Breaking = "💥 Breaking changes",
  Features = "✨ Features",
  Fixes = "🐛 Fixes",
  Other = "🧹 Other",
}

interface Parsed {
  section: Section;
  scope?: string;
  text: string;
}

function parse(message: string): Parsed {
  const [subject] = message.split("\n");
  const match = /^(?<type>\w+)(?:\((?<scope>[^)]+)\))?(?<bang>!)?: (?<text>.+)$/.exec(subject);
  if (!match?.groups) return { section: Section.Other, text: subject };
  const { type, scope, bang, text } = match.groups;
  const section = bang ? Section.Breaking : type === "feat" ? Section.Features : type === "fix" ? Section.Fixes : Section.Other;
  return { section, scope, text };
}

const commits = await tools.github.commits.list({});
const groups = Map.groupBy(commits.map((c: any) => ({ ...parse(c.message), sha: c.sha.slice(0, 7) })), (p: any) => p.section);

return Object.values(Section)
  .filter((s) => groups.has(s))
  .map((s) => `## ${s}\n${groups.get(s)!.map((p) => `- ${p.scope ? `**${p.scope}:** ` : ""}${p.text} (${p.sha})`).join("\n")}`)
  .join("\n\n");
