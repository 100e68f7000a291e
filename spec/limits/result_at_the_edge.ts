//# title = "a result of exactly the limit is returned"
//# limits = { result = 10 }
//# [expect]
//# result = '"xxxxxxxx"'
return "x".repeat(8);
