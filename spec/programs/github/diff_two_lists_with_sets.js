const issues = await tools.github.issues.list({});
const pulls = await tools.github.pulls.list({});
const reporters = new Set(issues.map((i) => i.author));
const coders = new Set(pulls.map((p) => p.author));
return {
  both: [...reporters.intersection(coders)].sort(),
  onlyReporters: [...reporters.difference(coders)].sort(),
  all: reporters.union(coders).size,
  oneSided: reporters.symmetricDifference(coders),
  subset: new Set(["tom"]).isSubsetOf(coders),
};
