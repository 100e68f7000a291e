//# title = "`Error.prototype` has the accessor of the standard beside the property of each error"
//# differsFromNode = "Node has no accessor there"
//# [expect]
//# result = '["function","function",true,"undefined",["string",false],["s",["stack"]],"TypeError"]'
const { get, set } = Object.getOwnPropertyDescriptor(Error.prototype, "stack")!;
const error: any = new TypeError("m");
const isSame = get!.call(error) === error.stack;
delete error.stack;
const other: any = {};
set!.call(other, "s");
let refused;
try {
  set!.call(error, 1);
} catch (thrown) {
  refused = thrown.name;
}
return [
  typeof get,
  typeof set,
  isSame,
  typeof get!.call(Object.create(error)),
  [typeof error.stack, Object.hasOwn(error, "stack")],
  [other.stack, Object.keys(other)],
  refused,
];
