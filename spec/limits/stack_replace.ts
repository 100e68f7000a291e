//# title = "recursion through the function of replace is a stack overflow that can be caught"
//# [expect]
//# result = '"RangeError"'
const replace = (): string => "a".replace(/a/g, () => replace());
try { replace(); } catch (error) { return (error as Error).name; }
