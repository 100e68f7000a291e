//# title = "an error that is thrown again keeps the position where it was made"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'made here'
//# line = 11
//# column = 9
const make = () => new Error("made here");
const error = make();
try {
  throw error;
} catch (e) {
  throw e;
}
