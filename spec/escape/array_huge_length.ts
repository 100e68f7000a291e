//# title = "huge lengths are numbers and cost nothing"
//# [expect]
//# result = '[4294967295,4294967295,1,"RangeError"]'
const name = (f: () => unknown) => { try { f(); return "none"; } catch (error) { return error.name; } };
const sparse: unknown[] = [];
sparse[2 ** 32 - 2] = 1;
return [sparse.length, Array(2 ** 32 - 1).length, Object.keys(sparse).length, name(() => sparse.push(1, 2))];
