//# title = "a thousand nested calls fit on the default stack"
//# [expect]
//# result = '1000'
const deep = (n: number): number => (n === 0 ? 0 : deep(n - 1) + 1);
return deep(1000);
