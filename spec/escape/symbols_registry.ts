//# title = "the symbol registry is the program's own"
//# [expect]
//# result = '[true,"mark"]'
const mark = Symbol.for("mark");
return [mark === Symbol.for("mark"), Symbol.keyFor(mark)];
