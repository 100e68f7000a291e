//# title = "text of every plane is kept"
//# [expect]
//# result = '"aä€😀\udbff\udfff"'
return "aä€😀\u{10ffff}";
