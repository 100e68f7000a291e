//# title = "a return in a nested block at the top ends the program"
//# [expect]
//# result = '{"n":2}'
for (const n of [1, 2, 3]) {
  if (n === 2) return { n };
}
return "not reached";
