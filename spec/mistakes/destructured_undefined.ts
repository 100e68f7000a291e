//# title = "undefined destructured"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "cannot destructure \"id\" of undefined: answer is undefined"
//# line = 10
//# column = 9
const answer: any = undefined;
const { id } = answer;
return id;
