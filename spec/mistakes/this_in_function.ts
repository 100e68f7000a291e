//# title = "this of a plain function"
//# tools = "demo"
//# [expect.error]
//# code = "THROWN"
//# name = "TypeError"
//# message = "cannot read \"n\" of undefined: this is undefined"
//# line = 9
//# column = 73
const counter = { n: 0, add() { [1].forEach(function () { (this as any).n++; }); return this.n; } };
return counter.add();
//# [correction]
//# group = "names"
//# why = "A function that is called by itself has no `this`. An arrow function takes `this` from around it."
//# program = '''
//# const counter = { n: 0, add() { [1].forEach(() => { this.n++; }); return this.n; } };
//# return counter.add();
//# '''
//# [correction.expect]
//# result = '1'
