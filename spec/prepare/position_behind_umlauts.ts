//# title = "columns count characters: an umlaut is one"
//# [expect.error]
//# code = "THROWN"
//# name = "Error"
//# message = 'here'
//# line = 8
//# column = 36
const größe: string = "äöü"; throw new Error("here");
