//# title = "one async arrow function is called, and its result is the program's"
//# [expect]
//# result = '"arrow"'
async () => {
  await null;
  return "arrow";
}
