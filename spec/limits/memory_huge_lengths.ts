//# title = "copies of lists with a huge length are out of memory, which can be caught"
//# notUnderNode = "Node makes such lists, which takes long"
//# [expect]
//# result = '["InternalError"]'
const names = new Set<string>();
const copies: ((list: any) => unknown)[] = [
  (list) => Array.prototype.toReversed.call(list), (list) => Array.prototype.toSorted.call(list),
  (list) => Array.prototype.toSpliced.call(list, 0, 0), (list) => Array.prototype.with.call(list, 0, 1),
];
for (const length of [0x1fffffff, 0x20000000, 0x20000001, 0x3fffffff, 0x7fffffff])
  for (const copy of copies) try { copy({ length }); names.add("none"); } catch (error) { names.add(error.name); }
return [...names];
