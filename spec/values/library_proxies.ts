//# title = "proxies, symbols, generators and iterators"
//# [expect]
//# result = '[1, "no b", true, 1, 42, true, "a|b|c1,2", true, "d", [0, "a"], 0]'
const p = new Proxy({ a: 1 } as any, { get: (t, k) => (k in t ? t[k] : `no ${String(k)}`), has: () => true });
function* g() { const x: number = yield 1; yield x * 2; }
const it = g();
const tag = (s: TemplateStringsArray, ...v: unknown[]) => s.raw.join("|") + v.join();
return [p.a, p.b, "z" in p, it.next().value, it.next(21).value, it.next().done, tag`a${1}b${2}c`, Symbol.for("k") === Symbol.for("k"), Symbol("d").description, [..."ab"].entries().next().value, Reflect.construct(Date, [0]).getTime()];
