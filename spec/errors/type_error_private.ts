//# title = "a private field that is not there has the place of its name"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "private class field '#p' does not exist"
//# line = 11
//# column = 18
class A {
  #p = 1;
  static read(other: any) {
    return other.#p;
  }
}
return A.read({});
