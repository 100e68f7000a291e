//# title = "slashes are told apart"
//# [expect]
//# result = '[2,true,["x","y"],4]'
const a = 8, g = 2;
const s = "x/y";
return [a / 2 / g, /\/[/]y/g.test("//y"), s.split(/\//), a /g/ 1];
