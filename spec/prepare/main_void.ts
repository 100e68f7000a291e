//# title = "a last call with void is waited for"
//# [expect]
//# result = '14'
async function main() {
  await null;
  return 14;
}
void main();
