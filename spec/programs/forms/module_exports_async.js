module.exports = async function handler() {
  const issue = await tools.github.issues.create({ repo: 'api', title: 'Created by a program' });
  return issue.number;
};
