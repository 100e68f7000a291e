//# title = "Error.stackTraceLimit of any kind is harmless"
//# [expect]
//# result = '[true,true,true,true]'
return [0, -1, Infinity, { valueOf() { throw new Error("no"); } }].map((limit) => {
  (Error as any).stackTraceLimit = limit;
  try { throw new Error("x"); } catch (error) { return error.message === "x"; }
});
