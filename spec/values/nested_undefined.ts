//# title = "undefined, functions and symbols vanish from objects and are null in arrays"
//# [expect]
//# result = '{"list":[null,null,null],"kept":1}'
//# warnings = ["`f` is a function, and was left out; call it, and return its result"]
return { a: undefined, f() {}, s: Symbol("s"), [Symbol("k")]: 1, list: [undefined, () => 1, Symbol("s")], kept: 1 };
