//# title = "a property of a missing property"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "cannot read \"name\" of undefined: user.profile is undefined"
//# line = 10
//# column = 21
const user: any = { name: "Ann" };
return user.profile.name;
