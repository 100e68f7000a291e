//# title = "JSON that is nested too deeply for the stack can be caught"
//# differsFromNode = "V8 parses JSON without recursion"
//# [expect]
//# result = '"RangeError"'
try { JSON.parse("[".repeat(200_000) + "]".repeat(200_000)); return "none"; } catch (error) { return (error as Error).name; }
