//# title = "null destructured in a parameter"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "cannot destructure \"id\" of null"
//# line = 9
//# column = 17
const show = ({ id }: any) => id;
return [null].map(show);
