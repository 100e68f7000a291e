//# title = "one generator function is called, and gives its iterator"
//# [expect]
//# result = '{}'
function* main() {
  yield 1;
}
