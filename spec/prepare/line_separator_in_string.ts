//# title = "U+2028 and U+2029 in strings are kept"
//# [expect]
//# result = '["61","2028","62","2029","63"]'
const s = "a b c";
return [...s].map((c) => c.codePointAt(0)!.toString(16));
