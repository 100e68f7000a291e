//# title = "declarations alone give null"
//# [expect]
//# result = 'null'
//# warnings = ['the program returned `null`, logged nothing and called no tool: end it with `return` and a value']
function a() { return 1; }
function b() { return 2; }
