//# title = "type predicates and assertion signatures vanish"
//# [expect]
//# result = '["a"]'
const isText = (x: unknown): x is string => typeof x === "string";
function check(x: unknown): asserts x is number {
  if (typeof x !== "number") throw new TypeError("no");
}
check(1);
return [1, "a"].filter(isText);
