//# title = "conditional, mapped, template and tuple types vanish"
//# [expect]
//# result = '["a"]'
type M = { readonly [K in "a" | "b"]?: K };
type L = `x-${string}`;
type U = [first: string, second?: number, ...rest: boolean[]];
type F = abstract new (...args: any[]) => object;
type G = typeof globalThis;
let u: U = ["a"];
let s: unique symbol = Symbol() as never;
return u;
