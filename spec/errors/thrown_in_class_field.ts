//# title = "an error in the initialiser of a field has its position"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'field'
//# line = 9
//# column = 22
class A {
  x = (() => { throw new Error("field"); })();
}
new A();
