//# title = "NaN and the infinities are null"
//# [expect]
//# result = '[null,null,null,{"a":null}]'
//# warnings = ["`0` is NaN, which JSON does not have, and was returned as null"]
return [NaN, Infinity, -Infinity, { a: NaN }];
