//# title = "an escape in a name is the name, and makes nothing appear that is not there"
//# differsFromNode = "Node has Function"
//# [expect]
//# result = '["undefined","undefined","ReferenceError"]'
const name = (f: () => unknown) => { try { f(); return "none"; } catch (error) { return error.name; } };
return [typeof \u0065val, typeof \u{46}unction, name(() => \u0065val("1"))];
