//# title = "a call over several lines in a transformed program keeps its position"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'here'
//# line = 14
//# column = 13
enum E { A }
const make = (a: number, b: { c: () => never }) => b.c();
make(
  E.A,
  {
    c: () => {
      throw new Error("here");
    },
  },
);
