//# title = "named properties of an array are left out"
//# [expect]
//# result = '[1]'
return Object.assign([1], { extra: 2 });
