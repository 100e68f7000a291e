//# title = "columns count characters: an emoji is one"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'here'
//# line = 8
//# column = 23
const s = "😀😀"; throw new Error("here");
