//# title = "one function declaration is called"
//# [expect]
//# result = '"declared"'
function main() {
  return "declared";
}
