//# title = "a WeakRef loses its target with the last reference to it, in every run"
//# differsFromNode = "Node collects later"
//# [expect]
//# result = '[true,true]'
let target: object | undefined = { a: 1 };
const ref = new WeakRef(target);
const first = ref.deref() === target;
target = undefined;
return [first, ref.deref() === undefined];
