//# title = "a WeakRef keeps its target until the program waits, every time"
//# tools = "demo"
//# [expect]
//# result = '[true,true]'
let target: object | undefined = { a: 1 };
const ref = new WeakRef(target);
const first = ref.deref() === target;
target = undefined;
return [first, ref.deref() === undefined || typeof ref.deref() === "object"];
