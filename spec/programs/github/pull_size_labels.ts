const SIZES: ReadonlyArray<readonly [limit: number, label: string]> = [
  [10, "XS"],
  [100, "S"],
  [500, "M"],
  [Infinity, "L"],
];
const sizeOf = (changes: number): string => SIZES.find(([limit]) => changes <= limit)![1];

const pulls = await tools.github.pulls.list({ per_page: 100 });
const labelled = pulls.map(({ number, additions, deletions, merged, title }) => ({
  number,
  size: sizeOf(additions + deletions),
  ratio: deletions ? +(additions / deletions).toPrecision(3) : null,
  breaking: /^\w+(\(.+\))?!:/.test(title),
  merged,
}));
const { merged = [], open = [] } = Object.groupBy(labelled, (p) => (p.merged ? "merged" : "open"));
return { merged: merged.map(({ merged, ...rest }) => rest), open: open.length };
