//# title = "current JavaScript runs"
//# [expect]
//# result = '[2,1000,2,{"c":3,"d":4},"12",3,{"odd":[1,3],"even":[2]},[1,3],"a+b"]'
class A { static #n = 1; static { A.#n++; } static get n() { return A.#n; } }
let a = null;
a ??= 1_000;
const { b = 2, ...rest } = { c: 3, d: 4 };
const r = /(?<y>\d+)/v.exec("x12");
return [A.n, a, b, rest, r?.groups?.y, [1, 2, 3].at(-1), Object.groupBy([1, 2, 3], (n) => n % 2 ? "odd" : "even"), [3, 1].toSorted(), "a-b".replaceAll("-", "+")];
