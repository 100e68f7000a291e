//# title = "a constructor with parameter properties keeps the author's positions"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'here'
//# line = 11
//# column = 13
class A {
  constructor(private x: number, readonly y = 2) {
    if (x) {
      throw new Error("here");
    }
  }
}
new A(1);
