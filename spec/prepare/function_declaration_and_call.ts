//# title = "a declared function that the program calls itself runs once"
//# [expect]
//# result = '1'
let runs = 0;
async function main() {
  runs++;
  return runs;
}
return await main();
