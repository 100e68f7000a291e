//# title = "a fact without a name is a type error, and one whose value is no JSON a serialization error"
//# tools = "demo"
//# [expect]
//# result = '["codemode.fact takes a name and a value: codemode.fact(\"total\", 12)","TypeError","TypeError","SERIALIZATION","SERIALIZATION","SERIALIZATION"]'
const attempt = (...values) => {
  try {
    codemode.fact(...values);
  } catch (error) {
    return error;
  }
};
const cycle = {};
cycle.self = cycle;
let deep = 1;
for (let n = 0; n < 150; n++) deep = [deep];
return [
  attempt().message, attempt(1, 2).name, attempt("a", 1, 2).name, attempt("a", cycle).code, attempt("a", () => 1).code,
  attempt("a", deep).code,
];
