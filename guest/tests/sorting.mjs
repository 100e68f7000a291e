// Sorting inside of the built image, compared with Node: which elements are compared, in which order, and the result.

import { check } from "./check.mjs";

const BODY = `
  let seed = 12345;
  const random = () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
  const comparators = {
    consistent: (a, b) => a - b, "never zero": (a, b) => a < b ? -1 : 1, "never zero, the other way": (a, b) => a > b ? 1 : -1,
    boolean: (a, b) => a > b, "boolean, the other way": (a, b) => a < b, text: (a, b) => String(a - b),
    "not a number": (a, b) => a % 3 ? NaN : a - b, random: () => random() - 0.5, "always after": () => 1, "always before": () => -1,
  };
  const shapes = {
    mixed: (keys) => keys, rising: (keys) => keys.sort((a, b) => a - b), falling: (keys) => keys.sort((a, b) => b - a),
    rotated: (keys) => { keys.sort((a, b) => a - b); return [...keys.splice(keys.length / 3), ...keys]; },
  };
  const rows = [];
  for (const [kind, compare] of Object.entries(comparators)) {
    for (const [shape, arrange] of Object.entries(shapes)) {
      for (const length of [0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 65, 100, 300, 1000]) {
        for (const range of [3, 1000]) {
          const numbers = arrange(Array.from({ length }, () => Math.floor(random() * range))).map((key, at) => key * 1000 + at);
          for (const type of [Array, Float64Array]) {
            let digest = 0;
            const note = (number) => { digest = (Math.imul(digest, 31) + number) | 0; };
            const sorted = type.from(numbers).sort((a, b) => {
              note(a);
              note(b);
              return compare(Math.floor(a / 1000), Math.floor(b / 1000));
            });
            sorted.forEach(note);
            rows.push([kind, shape, length, range, type.name, digest]);
          }
        }
      }
    }
  }
  return rows;`;

/** Sorts with comparators that are consistent and that are not. */
export async function testSorting(runInImage) {
  const expected = await new (async () => {}).constructor(BODY)();
  const ran = runInImage(BODY);
  check("the program that sorts completes", ran.failure, undefined);
  for (const [at, row] of expected.entries()) check(`sort ${row.slice(0, 5).join(", ")}`, ran.value?.[at], row);
  const stopped = runInImage(`
    const list = [3, 1, 2], seen = [];
    try { list.sort(() => { throw new Error("stopped"); }); } catch (error) { seen.push(error.message); }
    list.toSorted((a, b) => { list.length = 0; return a - b; }).forEach((each) => seen.push(each));
    return [seen, list];`);
  check("a comparator that throws, and one that changes the array", stopped.value, [["stopped", 1, 2, 3], []]);
}
