//# title = "recursion through toJSON is a stack overflow that can be caught"
//# [expect]
//# result = '"RangeError"'
const object: any = { toJSON: () => JSON.parse(JSON.stringify(object)) };
try { return JSON.stringify(object); } catch (error) { return (error as Error).name; }
