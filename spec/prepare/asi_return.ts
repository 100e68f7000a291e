//# title = "a line break behind return ends it"
//# [expect]
//# result = 'null'
return
  1;
