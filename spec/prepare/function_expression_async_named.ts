//# title = "one named async function expression is called"
//# [expect]
//# result = '"function"'
(async function main() {
  await null;
  return typeof main;
})
