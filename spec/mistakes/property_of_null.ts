//# title = "a property of null"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "cannot read \"email\" of null: owner is null"
//# line = 10
//# column = 14
const owner: any = null;
return owner.email;
