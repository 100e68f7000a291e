//# title = "an array of 120,000 elements can be spread into arguments, and one of a million is a RangeError"
//# [expect]
//# result = '[119999,120000,120000,120000,120000,119999,[120000,120000,120000],["RangeError","RangeError"]]'
const list = Array.from({ length: 120_000 }, (_, index) => index);
const pushed: number[] = [];
pushed.push(...list);
async function counted(..._: number[]) {
  await null;
  return arguments.length;
}
function* yielded(..._: number[]) {
  yield arguments.length;
}
const names: string[] = [];
for (const call of [() => Math.max(...new Array(1_000_000).fill(1)), () => Math.max.apply(null, new Array(1_000_000).fill(1))]) {
  try {
    call();
  } catch (error: any) {
    names.push(error.name);
  }
}
return [
  Math.max(...list),
  pushed.length,
  String.fromCharCode(...list).length,
  ((...rest: number[]) => rest.length)(...list),
  new Array(...list.slice(0, 100), ...list.slice(100)).length,
  Reflect.apply(Math.max, null, list),
  [await counted(...list), yielded(...list).next().value, (function () { return arguments.length; } as any)(...list)],
  names,
];
