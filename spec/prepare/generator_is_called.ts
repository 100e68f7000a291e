//# title = "one generator function is called, and gives its iterator"
//# [expect]
//# result = '{}'
//# warnings = ["the result is an iterator, and was returned as {}; make it a list with Array.from(…)"]
function* main() {
  yield 1;
}
