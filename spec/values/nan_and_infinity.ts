//# title = "NaN and the infinities are null"
//# [expect]
//# result = '[null,null,null,{"a":null}]'
return [NaN, Infinity, -Infinity, { a: NaN }];
