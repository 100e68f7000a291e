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
//# [correction]
//# group = "missing"
//# why = "The object has no such property, so there is nothing to read from. The message names the part that is missing."
//# program = '''
//# const user: any = { name: "Ann" };
//# return user.profile?.name ?? user.name;
//# '''
//# [correction.expect]
//# result = '"Ann"'
