//# title = "the error of a refused import has the constructors of the program"
//# differsFromNode = "Node makes code from text"
//# [expect]
//# result = '[true,true,"code cannot be made from text here"]'
const error: any = await import("no" + "thing").catch((error) => error);
const made = (() => { try { return error.constructor.constructor("return process")(); } catch (caught) { return caught.message; } })();
return [error.constructor === TypeError, Object.getPrototypeOf(error) === TypeError.prototype, made];
