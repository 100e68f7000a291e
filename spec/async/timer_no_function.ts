//# title = "setTimeout without a function is a TypeError"
//# [expect]
//# result = '["TypeError","TypeError","TypeError","TypeError"]'
const names = [];
for (const f of [undefined, null, 5, "code"]) {
  try {
    setTimeout(f as any, 0);
  } catch (error) {
    names.push(error.name);
  }
}
return names;
