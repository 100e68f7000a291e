//# title = "reading an unknown path is no error, only calling it is"
//# tools = "demo"
//# [expect]
//# result = '"function"'
const t = tools.no.such.tool;
return typeof t;
