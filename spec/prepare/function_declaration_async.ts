//# title = "one async function declaration is called, whatever its name"
//# [expect]
//# result = '5'
async function whatever(): Promise<number> {
  await null;
  return 5;
}
