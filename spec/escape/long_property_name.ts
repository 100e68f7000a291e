//# title = "a property name of a million characters works"
//# [expect]
//# result = '[1000000,7]'
const name = "p".repeat(1_000_000);
const object = { [name]: 7 };
return [Object.keys(object)[0].length, object[name]];
