//# title = "structuredClone refuses functions and symbols"
//# [expect]
//# result = '[["DataCloneError", true, 25], ["DataCloneError", true, 25], ["DataCloneError", true, 25], ["DataCloneError", true, 25]]'
const names = [];
for (const value of [() => 1, Symbol("s"), { f() {} }, Promise.resolve()]) {
  try {
    structuredClone(value as any);
  } catch (error) {
    names.push([error.name, error instanceof DOMException, error.code]);
  }
}
return names;
