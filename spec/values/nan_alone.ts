//# title = "NaN as the result is null"
//# [expect]
//# result = 'null'
//# warnings = ["the result is NaN, which JSON does not have, and was returned as null"]
return NaN;
