//# title = "declarations alone give null"
//# [expect]
//# result = 'null'
function a() { return 1; }
function b() { return 2; }
