//# title = "a call above the functions is the value of the program"
//# [expect]
//# result = '13'
main();

async function main() {
  await null;
  return 13;
}
