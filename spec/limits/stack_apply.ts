//# title = "recursion through apply, bind and Reflect is a stack overflow that can be caught"
//# [expect]
//# result = '"RangeError"'
const deep = (): unknown => Reflect.apply(deep.bind(null).call, deep, [null]);
try { deep(); } catch (error) { return (error as Error).name; }
