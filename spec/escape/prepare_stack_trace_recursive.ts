//# title = "an Error.prepareStackTrace that makes errors ends"
//# [expect]
//# result = '"RangeError"'
(Error as any).prepareStackTrace = () => { try { (null as any).a; } catch {} throw new TypeError("again"); };
try { (function deep(): any { return deep() + 1; })(); } catch (error) { return error.name; }
