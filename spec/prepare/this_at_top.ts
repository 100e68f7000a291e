//# title = "this at the top is undefined"
//# [expect]
//# result = '"undefined"'
return typeof this;
