//# title = "an error in a generator has its position"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'generator'
//# line = 10
//# column = 9
function* g() {
  yield 1;
  throw new Error("generator");
}
return [...g()];
