//# title = "export default of a async function is the program"
//# [expect]
//# result = '"async"'
export default async function () {
  await null;
  return "async";
}
