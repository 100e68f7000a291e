//# title = "generators, closures, private fields, maps, symbols and half-done iterations are what they were"
//# tools = "spec"
//# [[passes]]
//# pending = [["0", "spec.pay", "approval"]]
//# approve = "all"
//# [[passes]]
//# pending = [["1", "spec.pay", "approval"]]
//# approve = "all"
//# [expect]
//# result = '[["p",2,42,"q",4,43],true,[["b",2]],"y",[2,3],"1180591620717411303424","proxied x"]'
//# calls = [["spec.pay", "applied"], ["spec.pay", "applied"]]
function* count() { let n = 0; while (true) n += yield n; }
const counter = count();
counter.next();
class One { #secret = 41; bump() { return ++this.#secret; } static from = new WeakMap(); }
const one = new One();
One.from.set(one, Symbol.for("kept"));
const iterator = new Map([["a", 1], ["b", 2]])[Symbol.iterator]();
iterator.next();
const regexp = /(?<word>\w)/g;
regexp.exec("xy");
const bytes = new Uint8Array([1, 2, 3]).subarray(1);
const big = 2n ** 70n;
const proxy = new Proxy({}, { get: (_, name) => `proxied ${String(name)}` });
async function* slowly() { for (const what of ["p", "q"]) { await tools.spec.pay({ amount: what }); yield what; } }
const all = [];
for await (const what of slowly()) all.push(what, counter.next(2).value, one.bump());
return [
  all, One.from.get(one) === Symbol.for("kept"), [...iterator], regexp.exec("xy").groups.word, [...bytes], String(big), proxy.x,
];
