//# title = "a call of a declared function as the last expression is awaited"
//# [expect]
//# result = '"last"'
async function main() {
  await null;
  return "last";
}
main();
