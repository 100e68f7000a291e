//# title = "a class called without new"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "class constructors must be invoked with 'new'"
//# line = 10
//# column = 1
//# hint = "write `new` before the name of the class"
class Ledger {}
return (Ledger as any)();
//# [correction]
//# group = "kinds"
//# why = "A class is not a function that can be called. `new` makes an instance."
//# program = '''
//# class Ledger {
//#   entries: number[] = [];
//# }
//# return new Ledger();
//# '''
//# [correction.expect]
//# result = '{"entries":[]}'
