//# title = "interfaces and type aliases vanish"
//# [expect]
//# result = '3'
interface A<T> extends Object { a: T; m(): void }
type B = A<string> | { [key: string]: unknown };
type C<T> = T extends (infer U)[] ? U : never;
const c: C<number[]> = 3;
return c;
