//# title = "a WeakRef keeps its target for as long as it lives, in every run"
//# [expect]
//# result = '[true,{"a":1},{"b":2}]'
let target: object | undefined = { a: 1 };
const ref = new WeakRef(target);
const first = ref.deref() === target;
target = undefined;
const other = new WeakRef({ b: 2 });
await new Promise((done) => setTimeout(done, 1));
return [first, ref.deref(), other.deref()];
