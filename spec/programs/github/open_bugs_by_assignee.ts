const issues = await tools.github.issues.list({ state: "open" });
const bugs = issues.filter((i: any) => i.labels.includes("bug"));

const byAssignee = bugs.reduce((acc: Record<string, number[]>, issue: any) => {
  const key = issue.assignee ?? "unassigned";
  acc[key] = acc[key] || [];
  acc[key].push(issue.number);
  return acc;
}, {});

console.log(JSON.stringify(byAssignee, null, 2));
return byAssignee;
