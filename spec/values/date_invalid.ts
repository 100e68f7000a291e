//# title = "an invalid Date is null"
//# [expect]
//# result = '[null]'
//# warnings = ["`0` is an invalid date, and was returned as null"]
return [new Date(NaN)];
