//# title = "NUL and other control characters are kept"
//# [expect]
//# result = '"a\u0000b\u001f\u007f\b\f\n\r\t\"\\/"'
return "a\u0000b\u001f\u007f\b\f\n\r\t\"\\/";
