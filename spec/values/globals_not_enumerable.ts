//# title = "the globals cannot be enumerated"
//# differsFromNode = "some of Node's globals are enumerable"
//# [expect]
//# result = '[]'
return Object.keys(globalThis);
