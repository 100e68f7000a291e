//# title = "a property of an element that is not there"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "cannot read \"id\" of undefined: rows[0] is undefined"
//# line = 10
//# column = 16
const rows: any[] = [];
return rows[0].id;
//# [correction]
//# group = "missing"
//# why = "An empty list has no first element. Check the length, or use `?.`."
//# program = '''
//# const rows: any[] = [];
//# return rows[0]?.id ?? "none";
//# '''
//# [correction.expect]
//# result = '"none"'
