//# title = "an empty key and keys with odd characters are kept"
//# [expect]
//# result = '{"":1,"a b":2,"ä\n\"":3,"\u0000":4}'
return { "": 1, "a b": 2, "ä\n\"": 3, "\u0000": 4 };
