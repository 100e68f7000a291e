//# title = "the stack is a property of the error itself that is not enumerable, as in Node.js"
//# [expect]
//# result = '[["stack","message"],true,true,[[],["message","stack"]],["s",[],{}],["undefined","number"],true]'
const written = JSON.parse(JSON.stringify(new Error("m"), Object.getOwnPropertyNames(new Error("m"))));
const set: any = new Error("m");
set.stack = "s";
const others: any[] = [new Error("m"), new Error("m")];
others[0].stack = undefined;
others[1].stack = 1;
const inherited = Object.create(new Error("m"));
let own;
try {
  (null as any).x;
} catch (error) {
  own = Object.hasOwn(error, "stack");
}
return [
  Object.getOwnPropertyNames(new Error("m")),
  own,
  Object.hasOwn(new Error("m"), "stack"),
  [Object.keys(new Error("m")), Object.keys(written).sort()],
  [set.stack, Object.keys(set), { ...set }],
  others.map((error) => typeof error.stack),
  inherited.stack.startsWith("Error: m\n"),
];
