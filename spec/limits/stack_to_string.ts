//# title = "recursion through conversions is a stack overflow that can be caught"
//# [expect]
//# result = '["RangeError","RangeError","RangeError"]'
const name = (f: () => unknown) => { try { f(); return "none"; } catch (error) { return (error as Error).name; } };
const text: any = { toString: () => `${text}` };
const number: any = { valueOf: () => +number };
const primitive: any = { [Symbol.toPrimitive]: () => primitive + "" };
return [name(() => `${text}`), name(() => +number), name(() => primitive + "")];
