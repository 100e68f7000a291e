//# title = "not even the empty function is made from text"
//# differsFromNode = "Node makes code from text"
//# [expect]
//# result = '"code cannot be made from text here"'
try { return typeof (() => {}).constructor(); } catch (error) { return error.message; }
