//# title = "a regular expression that is nested too deeply can be caught"
//# [expect]
//# result = 'true'
let name = "none";
try { new RegExp("(".repeat(200_000) + ")".repeat(200_000)); } catch (error) { name = (error as Error).name; }
return name === "SyntaxError" || name === "RangeError" ? true : name;
