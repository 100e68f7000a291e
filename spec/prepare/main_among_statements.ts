//# title = "a main function that nothing calls is called behind the last statement"
//# [expect]
//# result = '[1,2]'
const seen: number[] = [];
async function main() {
  seen.push(2);
  return seen;
}
seen.length = 0;
if (seen.length === 0) {
  seen.push(1);
}
