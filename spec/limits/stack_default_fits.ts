//# title = "ten thousand nested calls of a small function fit on the default stack"
//# notUnderNode = "Node's stack is another"
//# [expect]
//# result = '[10000,10000,10000,10000]'
const deep = (n: number): number => (n === 0 ? 0 : deep(n - 1) + 1);
const object = { deep(n: number): number { return n === 0 ? 0 : this.deep(n - 1) + 1; } };
class List { length: number; constructor(n: number, public next = n > 1 ? new List(n - 1) : undefined) { this.length = (next?.length ?? 0) + 1; } }
const even = (n: number): number => (n === 0 ? 0 : odd(n - 1) + 1), odd = (n: number): number => even(n - 1) + 1;
return [deep(10_000), object.deep(10_000), new List(10_000).length, even(10_000)];
