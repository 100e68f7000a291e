//# title = "a default export keeps its columns"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'here'
//# line = 9
//# column = 9
export default async function () {
  throw new Error("here");
}
