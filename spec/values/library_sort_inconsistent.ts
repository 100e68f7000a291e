//# title = "comparators that are not consistent sort as in Node.js"
//# [expect]
//# result = '[[2,4,1,3],[4,2,3,1],[1,2,3,4],[3,1,2],[1,2,3],[1,2,3]]'
const rows = [{ k: "b", v: 1 }, { k: "a", v: 2 }, { k: "b", v: 3 }, { k: "a", v: 4 }];
const sorted = (compare: (a: any, b: any) => any) => [...rows].sort(compare).map((row) => row.v);
return [
  sorted((a, b) => (a.k < b.k ? -1 : 1)),
  sorted((a, b) => (a.k > b.k ? 1 : -1)),
  sorted((a, b) => a.k > b.k),
  [3, 1, 2].sort(() => NaN),
  [3, 1, 2].sort((a, b) => (a === 3 ? NaN : a - b)),
  [...new Uint8Array([1, 2, 3]).sort(() => -1 as number)],
];
