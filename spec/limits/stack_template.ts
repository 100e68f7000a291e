//# title = "recursion through a tagged template is a stack overflow that can be caught"
//# [expect]
//# result = '"RangeError"'
const tag = (_: TemplateStringsArray): unknown => tag`a`;
try { tag`a`; } catch (error) { return (error as Error).name; }
