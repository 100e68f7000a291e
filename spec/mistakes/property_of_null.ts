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
//# [correction]
//# group = "missing"
//# why = "`null` has no properties. Services often return `null` for something that is not set."
//# program = '''
//# const owner: any = null;
//# return owner?.email ?? "none";
//# '''
//# [correction.expect]
//# result = '"none"'
