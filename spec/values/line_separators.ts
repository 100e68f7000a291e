//# title = "U+2028 and U+2029 are kept"
//# [expect]
//# result = '[2,"\u2028\u2029"]'
return ["\u2028\u2029".length, "\u2028\u2029"];
