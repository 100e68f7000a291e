const issues = await tools.github.issues.list({ state: 'open', repo: 'infra' });
if (issues.length > 5) {
  return issues;
}
console.log(`only ${issues.length} open issue(s)`);
