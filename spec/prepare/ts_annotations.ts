//# title = "type annotations of every place vanish"
//# [expect]
//# result = '[1,"a","1","b","3",3]'
const n: number = 1;
let s!: string;
s = "a";
function f(this: void, a: number, b?: string, ...rest: boolean[]): string | undefined {
  return b ?? String(a + rest.length);
}
const { x, y }: { x: number; y: number } = { x: 1, y: 2 };
return [n, s, f(1), f(1, "b"), f(2, undefined, true), x + y];
