//# title = "a subclass of the function constructor makes no code either"
//# differsFromNode = "Node makes code from text"
//# [expect]
//# result = '"code cannot be made from text here"'
const Constructor: any = (() => {}).constructor;
class Mine extends Constructor { constructor(text: string) { super(text); } }
try { return (new Mine("return 7") as any)(); } catch (error) { return error.message; }
