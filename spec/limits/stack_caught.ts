//# title = "stack overflow can be caught, and the program goes on"
//# [expect]
//# result = '["RangeError","Maximum call stack size exceeded",true,100]'
let error: any;
const forever = (): void => forever();
try { forever(); } catch (caught) { error = caught; }
const deep = (n: number): number => (n === 0 ? 0 : deep(n - 1) + 1);
return [error.name, error.message, error instanceof RangeError, deep(100)];
