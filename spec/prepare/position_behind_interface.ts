//# title = "types before it in the text do not move a position"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'here'
//# line = 15
//# column = 39
interface A {
  a: number;
  b: string;
}
type B =
  | A
  | null;
const b = null as unknown as B; throw new Error("here");
