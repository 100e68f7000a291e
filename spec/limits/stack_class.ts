//# title = "recursion through constructors and super is a stack overflow that can be caught"
//# [expect]
//# result = '"RangeError"'
class Base { constructor() { new Derived(); } }
class Derived extends Base { field = new Derived(); }
try { new Derived(); } catch (error) { return (error as Error).name; }
