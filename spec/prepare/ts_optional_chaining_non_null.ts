//# title = "a non-null assertion in a chain vanishes"
//# [expect]
//# result = '[1,1,1]'
const a: { b?: { c: number } } = { b: { c: 1 } };
return [a.b!.c, a?.b!.c, a!.b?.["c"]!];
