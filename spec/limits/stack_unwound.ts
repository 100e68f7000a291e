//# title = "a stack that overflowed is whole again: variables, receivers and results of every frame"
//# [expect]
//# result = '[5000,"RangeError",5000,[1,"a",5],{"n":2},3]'
let depth = 0;
function sink(this: unknown, n: number): number { depth = n; return sink.call(this, n + 1) + 1; }
const deep = (n: number): number => { const kept = n; const closure = () => kept; return n === 0 ? 0 : deep(n - 1) + 1 + (closure() - n); };
const before = deep(5000);
let name = "";
try { sink(0); } catch (error) { name = error.name; }
const after = deep(5000);
class Point { n: number; constructor(n: number) { this.n = n; return n > 1 ? this : new Point(n + 1); } }
const few = (a: number, b?: string, c = 5) => [a, b, c];
const tail = (n: number): number => { try { return n === 0 ? inner() : tail(n - 1); } finally { depth = n; } };
const inner = () => 3;
return [before, name, after, few(1, "a"), new Point(1), tail(100)];
