//# title = "a namespace keeps the author's positions"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'here'
//# line = 10
//# column = 11
namespace N {
  export function f(): never {
    throw new Error("here");
  }
}
N.f();
