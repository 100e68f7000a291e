//# title = "a program that is started itself runs what it guards, and waits for it"
//# [expect]
//# result = '12'
async function main() {
  await null;
  return 12;
}
if (require.main === module) {
  main().catch((error) => console.error(error));
}
