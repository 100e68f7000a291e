//# title = "brackets are parameters, patterns, literals or groups, whatever is inside of them"
//# [expect]
//# result = '[1,[2,1],{"a":1,"b":"]"},3,"}4{",[5,6],7,8,[9,10],"(11)",12,[13,14],15,16,[17],18,"x19",20,true,[21,22],23,24]'
let a: any, b: any, c: any;
const results: unknown[] = [];
results.push(((x) => x)(1));
[a, b] = [1, 2];
[a, b] = [b, a]; results.push([a, b]);
({ a, b } = { a: 1, b: "]" }); results.push({ a, b });
results.push(((x: any, { y } = { y: 2 }, [z] = ["("]) => x + y + (z === "(" ? 0 : 1))(1));
({ a = `}${{ n: 4 }.n}{`, b } = {} as any); results.push(a);
[a = 5, { b = 6 } = {} as any] = []; results.push([a, b]);
results.push((/* ( */ (x: any) => x)(7));
results.push(((x /* ) => */) => x)(8));
({ a: [b, c] } = { a: [9, 10] }); results.push([b, c]);
results.push(/[)]/.test(")") ? (`(${11})`) : 0);
results.push((() => (12))());
[{ a }, b] = [{ a: 13 }, 14] // ] = [
; results.push([a, b]);
results.push((await (async (x = (1, 15)) => x)()));
results.push(((...rest: any[]) => rest[0])(16));
const list = [/[\]]/.source === "[\\]]" ? 17 : 0]; results.push(list);
results.push((a = 18, a));
results.push(((x = "x" + (19)) => x)());
results.push(((a, b) => a + b)(8, 12));
results.push((a == 18) == (b === 14));
for ([a, b] of [[21, 22]]) results.push([a, b]);
results.push((1 + 2 * 3 ** 2 - 4 / 2 << 1 & 63 | 0 ^ 1) - 12);
class Q { #p = 24; static has(o: any) { return #p in o && 1 < 2 ? o.#p : 0; } } results.push(Q.has(new Q()));
return results;
