//# title = "a backslash before u that is text is no escape"
//# [expect]
//# result = '"\\ud83d"'
return "\\ud83d";
