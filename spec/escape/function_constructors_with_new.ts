//# title = "no function constructor makes code from text with new, Reflect.construct, call, apply or bind"
//# differsFromNode = "Node makes code from text"
//# [expect]
//# result = '["TypeError","TypeError","TypeError","TypeError","TypeError"]'
const Constructor: any = (() => {}).constructor;
const name = (make: () => unknown) => { try { make(); return "made"; } catch (error) { return error.name; } };
return [
  name(() => new Constructor("return 7")),
  name(() => Reflect.construct(Constructor, ["a", "return a"])),
  name(() => Constructor.call(null, "return 7")),
  name(() => Constructor.apply(null, ["a", "b", "return a + b"])),
  name(() => Constructor.bind(null, "return 7")()),
];
