//# title = "an invalid Date is null"
//# [expect]
//# result = '[null]'
return [new Date(NaN)];
