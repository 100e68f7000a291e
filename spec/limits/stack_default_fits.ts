//# title = "what needs most of 512 KiB fits on the default stack"
//# [expect]
//# result = '1500'
const deep = (n: number): number => (n === 0 ? 0 : deep(n - 1) + 1);
return deep(1500);
