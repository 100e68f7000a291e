//# title = "a timer takes no text"
//# differsFromNode = "Node's message is another"
//# [expect]
//# result = '"TypeError: setTimeout takes a function"'
try { setTimeout("globalThis.escaped = true" as any, 0); return "made"; } catch (error) { return String(error); }
