//# title = "array functions on lengths of 2^53 end in an error that can be caught"
//# [expect]
//# result = '["TypeError","RangeError"]'
const name = (f: () => unknown) => { try { f(); return "none"; } catch (error) { return error.name; } };
return [name(() => Array.prototype.push.call({ length: 2 ** 53 - 1 }, 1)), name(() => Array.prototype.map.call({ length: 2 ** 53 - 1 }, () => 1))];
