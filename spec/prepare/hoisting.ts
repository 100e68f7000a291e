//# title = "functions can be used before they are declared"
//# [expect]
//# result = '"hoisted"'
return later();
function later() { return "hoisted"; }
