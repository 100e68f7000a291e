//# title = "nothing that another program left behind is there: the marks of this case are its own"
//# tools = "demo"
//# [expect]
//# result = '[null,null,null,null]'
const before = [(globalThis as any).mark, (Object.prototype as any).mark, (Math as any).mark, (tools as any)[Symbol.for("mark")]];
(globalThis as any).mark = (Math as any).mark = 1;
(Object.prototype as any).mark = 1;
return before.map((value) => value ?? null);
