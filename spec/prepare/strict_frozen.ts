//# title = "strict mode: a write to a frozen object throws"
//# [expect]
//# result = '"TypeError"'
const a = Object.freeze({ b: 1 });
try {
  a.b = 2;
} catch (error) {
  return error.name;
}
