const issues = await tools.github.issues.list({});

const REF = /(?<!\w)(?:(?<owner>[\w-]+)\/(?<repo>[\w-]+))?#(?<number>\d+)\b/g;
const MENTION = /\B@([a-z\d](?:[a-z\d]|-(?=[a-z\d])){0,38})/gi;

return issues
  .filter(({ body }) => body)
  .map(({ number, body }) => ({
    number,
    refs: [...body.matchAll(REF)].map(({ groups: { owner, repo, number } }) => ({ repo: owner ? `${owner}/${repo}` : null, number: +number })),
    mentions: Array.from(body.matchAll(MENTION), (m) => m[1]),
    tasks: (body.match(/^- \[[ x]\]/gm) || []).length,
    done: (body.match(/^- \[x\]/gm) ?? []).length,
  }))
  .filter((r) => r.refs.length + r.mentions.length + r.tasks > 0);
